import { RangeLimit, readPart } from '@tollbridge/chain-nodes';
import {
  ProviderError,
  readReply,
  UnreadableReply,
  readFields,
  readReplyAsync,
  readText,
  readTextLike,
} from '@tollbridge/http';
import type { Transaction } from '@ton/core';
import {
  readGetMethodResult,
  writeStack,
  type GetMethodResult,
  type StackArgument,
} from './get-method-stack';
import { loadTonCore } from './load';
import { Toncenter, type ToncenterOptions } from './toncenter';

/** A transaction of an account. It is parsed from its own cells, not from fields of the provider. */
export interface AccountTransaction {
  /** Raw address. */
  account: string;
  /** Logical time. It increases with each transaction of the account. */
  lt: bigint;
  /** Hash of the parsed cells, 64 lower-case hexadecimal digits. */
  hash: string;
  at: Date;
  parsed: Transaction;
}

export interface AccountTransactions {
  /** Oldest first, without gaps. */
  transactions: AccountTransaction[];
  /** True if there are more transactions than the limit. Continue after the last returned one. */
  hasMore: boolean;
}

// Below toncenter's maximum of 100, because one transaction may have 100 KB.
const pageSize = 32;
// A thousand requests. A caller that lags further behind starts at a later logical time and compares the balance.
const maxWalked = 32_000;

/**
 * Reads accounts and sends messages by toncenter's JSON-RPC (api/v2), which returns blocks that the masterchain has
 * confirmed. Addresses are raw. All methods throw `ProviderError`. For `sendBoc`, `rejected` means that the account
 * rejected the message, and `unknownOutcome` that it may have accepted it.
 */
export class TonAccountReader {
  private readonly toncenter: Toncenter;
  /** Maximum number of transactions in a list that the node accepts. */
  private readonly ranges = new RangeLimit();

  constructor(options: ToncenterOptions) {
    this.toncenter = new Toncenter(options);
  }

  /** Returns the balance in nanotons; 0 for an unused account. */
  async getBalance(address: string): Promise<bigint> {
    const provider = await this.toncenter.tonweb();
    const reply = await provider.getBalance(address);
    return readReply('toncenter', () =>
      BigInt(readTextLike(reply, 'the balance', /^[0-9]{1,39}$/, 'a number')),
    );
  }

  /**
   * Identifies the state of an account by its last transaction (logical time and hash). Balance and results of get
   * methods change only with a new transaction.
   */
  async stateOf(address: string): Promise<string> {
    const provider = await this.toncenter.tonweb();
    const reply: unknown = await provider.getAddressInfo(address);
    return readReply('toncenter', () => {
      const { last_transaction_id: last } = readFields(reply, 'an account');
      const { lt, hash } = readFields(last, 'a transaction');
      if (typeof lt !== 'string' || !/^[0-9]{1,20}$/.test(lt) || typeof hash !== 'string' || hash.length > 64)
        throw new UnreadableReply('the last transaction has no lt or no hash');
      return `${lt}:${hash}`;
    });
  }

  /** Runs a get method. An exit code other than 0 is a result and does not throw. */
  async runGetMethod(
    address: string,
    method: string,
    stack: readonly StackArgument[] = [],
  ): Promise<GetMethodResult> {
    const provider = await this.toncenter.tonweb();
    const reply: unknown = await provider.call(address, method, writeStack(stack));
    return readReplyAsync('toncenter', () => readGetMethodResult(reply));
  }

  /**
   * Returns the account's transactions after this logical time, oldest first, up to the limit. Toncenter lists from the
   * newest, so each call reads all pages down to `afterLt`. Each transaction contains the hash of the previous one,
   * which proves that none is missing.
   */
  async getTransactions(address: string, afterLt: bigint, limit: number): Promise<AccountTransactions> {
    if (limit < 1) throw new RangeError('The limit must be at least 1.');
    const newestFirst: AccountTransaction[] = [];
    for await (const transaction of this.newestFirst(address)) {
      if (transaction.lt <= afterLt) break;
      newestFirst.push(transaction);
      // Truncates only at twice the limit, so that this happens rarely.
      if (newestFirst.length > 2 * limit + 1) newestFirst.splice(0, newestFirst.length - limit - 1);
      if (transaction.parsed.prevTransactionLt <= afterLt) break;
    }
    return oldest(newestFirst, limit);
  }

  /**
   * Yields all transactions from the newest, or only those older than `olderThan`, page by page on demand. Each must
   * have the hash that its successor contains.
   */
  async *newestFirst(
    address: string,
    olderThan?: AccountTransaction,
  ): AsyncGenerator<AccountTransaction, void> {
    let before = olderThan && linkBefore(olderThan);
    if (before?.lt === 0n) return;
    for (let walked = 0; walked < maxWalked;) {
      const page = await this.page(address, before);
      if (page.length === 0 && before) throw badReply('a transaction is missing');
      for (const transaction of page) {
        if (before && !isAt(transaction, before))
          throw badReply('a transaction does not link to the one before it');
        yield transaction;
        before = linkBefore(transaction);
      }
      if (!before || before.lt === 0n) return;
      walked += page.length;
    }
    throw badReply(`there are more than ${maxWalked} transactions`);
  }

  /**
   * Sends an external message as a bag of cells. Acceptance does not mean execution, so read the following
   * transactions. `rejected` concerns only this attempt: an earlier one may have been accepted.
   */
  async sendBoc(boc: Uint8Array): Promise<void> {
    const provider = await this.toncenter.tonweb();
    await provider.sendBoc(Buffer.from(boc).toString('base64'));
  }

  private async page(address: string, from: Link | undefined): Promise<AccountTransaction[]> {
    const provider = await this.toncenter.tonweb();
    const reply = await readPart(this.ranges, pageSize, async (count) => {
      // Only toncenter's archival servers have older transactions.
      const page: unknown = from
        ? await provider.getTransactions(address, count, String(from.lt), from.hash, undefined, true)
        : await provider.getTransactions(address, count);
      if (!Array.isArray(page) || page.length > count) throw badReply('expected a list of transactions');
      return page as unknown[];
    });
    return readReplyAsync('toncenter', () =>
      Promise.all(reply.map((item) => readTransaction(address, item))),
    );
  }
}

interface Link {
  lt: bigint;
  hash: string;
}

async function readTransaction(account: string, item: unknown): Promise<AccountTransaction> {
  const data = readText(readFields(item, 'a transaction')['data'], 'data');
  return transactionOf(account, Buffer.from(data, 'base64'));
}

/** @throws UnreadableReply if the bytes are not a transaction of this account */
export async function transactionOf(account: string, boc: Buffer): Promise<AccountTransaction> {
  const { Cell, loadTransaction } = await loadTonCore();
  try {
    const cell = Cell.fromBoc(boc)[0]!;
    const parsed = loadTransaction(cell.beginParse());
    if (hex(parsed.address) !== account.slice(account.indexOf(':') + 1)) throw new Error('of another');
    const at = new Date(parsed.now * 1_000);
    return { account, lt: parsed.lt, hash: cell.hash().toString('hex'), at, parsed };
  } catch {
    throw new UnreadableReply('a transaction does not belong to this account');
  }
}

const hex = (number: bigint): string => number.toString(16).padStart(64, '0');
const linkBefore = ({ parsed }: AccountTransaction): Link => ({
  lt: parsed.prevTransactionLt,
  hash: hex(parsed.prevTransactionHash),
});
const isAt = (one: AccountTransaction, { lt, hash }: Link): boolean => one.lt === lt && one.hash === hash;

function oldest(newestFirst: AccountTransaction[], limit: number): AccountTransactions {
  const transactions = newestFirst.slice(-limit).reverse();
  return { transactions, hasMore: newestFirst.length > limit };
}

const badReply = (message: string): ProviderError =>
  new ProviderError('toncenter', { kind: 'badReply', message });
