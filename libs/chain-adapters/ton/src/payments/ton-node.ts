import { RangeLimit } from '@tollbridge/chain-nodes';
import type { BlockRef } from '@tollbridge/chain-port';
import {
  OversizedReply,
  ProviderError,
  type Fields,
  UnreadableReply,
  readFields,
  readList,
  readReplyAsync,
  readText,
} from '@tollbridge/http';
import { transactionOf, type AccountTransaction } from '../account-reader';
import {
  readGetMethodResult,
  writeStack,
  type GetMethodResult,
  type StackArgument,
} from '../get-method-stack';
import { endlessTrace, readIndexed, readTrace, type IndexedTransaction, type Trace } from './indexed';
import { badReply, NodeClient, provider, type ReplyLimit } from './node-client';
import { readHash, readLt, readSeqno, readTime } from './node-fields';
import type { NodeUrl } from './node-url';
import { pageLimit, readPages } from './pages';

// The size of about 2,000 transactions. A longer trace is not a payment, and a third party could make this code read it
// repeatedly.
const traceLimit = { maxReplyBytes: 8 * 1024 * 1024 };
const mostCells = 32;
const masterchain = { workchain: -1, shard: '-9223372036854775808' };
// A URL can be switched to another network at any time. The check detects this within five minutes.
const verifyEveryMs = 300_000;

/** The start position for reading a chain of transactions backwards. */
export interface TransactionPlace {
  readonly lt: bigint;
  readonly hash: string;
}

export interface IndexQuery {
  account: string;
  startUtime?: number;
  startLt?: bigint;
  endLt?: bigint;
  sort: 'asc' | 'desc';
  limit: number;
}

/**
 * A node with toncenter's API. It provides transactions and get methods by JSON-RPC (api/v2), and their blocks and
 * traces by the index (api/v3). Addresses are raw, and hashes have 64 lower-case hexadecimal digits. All methods throw
 * `ProviderError`.
 */
export class TonNode {
  /** The node's limit for a list of transactions. */
  readonly ranges: RangeLimit;
  private readonly cellRanges: RangeLimit;
  private readonly client: NodeClient;
  private verifiedAtMs: number | undefined;
  private verifying: Promise<void> | undefined;

  /** @param globalId id of the network that the node must serve: -239 for the main network, -3 for the test network */
  constructor(
    url: NodeUrl,
    private readonly globalId: number,
    private readonly clock: { now(): number } = Date,
  ) {
    this.client = new NodeClient(url);
    this.ranges = new RangeLimit(clock);
    this.cellRanges = new RangeLimit(clock, this.ranges);
  }

  /** Returns the newest masterchain block that both the node and its index have. */
  async head(): Promise<number> {
    await this.verifyNetwork();
    const [own, indexed] = await Promise.all([this.ownHead(), this.indexHead()]);
    return Math.min(own, indexed.seqno);
  }

  /** Returns a block of the masterchain. */
  async block(seqno: number): Promise<BlockRef> {
    await this.verifyNetwork();
    return (await this.header(seqno)).block;
  }

  /** Returns the newest masterchain block at or before this time; undefined for a time before the chain. */
  async blockAt(timeS: number): Promise<number | undefined> {
    const query = { workchain: '-1', end_utime: String(timeS), sort: 'desc', limit: '1' };
    return this.index('/blocks', query, (reply) => {
      const [block] = readList(readFields(reply, 'the reply')['blocks'], 'blocks', 1);
      return block === undefined ? undefined : readSeqno(readFields(block, 'a block')['seqno'], 'seqno');
    });
  }

  /** Returns the account's last transaction as of a masterchain block; undefined before its first transaction. */
  async lastTransaction(account: string, seqno: number): Promise<TransactionPlace | undefined> {
    return this.ask('getAddressInformation', { address: account, seqno }, (result) => {
      const place = placeOf(
        readFields(readFields(result, 'an account')['last_transaction_id'], 'last_transaction_id'),
      );
      return place.lt === 0n ? undefined : place;
    });
  }

  /** Returns transactions of an account from the index. There are fewer than the limit only at the end of the list. */
  async transactions(query: IndexQuery): Promise<IndexedTransaction[]> {
    const { limit, sort } = query;
    const sizes = { limit, pageSize: limit, isShortLast: true, ranges: this.ranges };
    return readPages<IndexedTransaction>(sizes, (last, size) => {
      const after = last && (sort === 'asc' ? { startLt: last.lt + 1n } : { endLt: last.lt - 1n });
      return this.indexedPage({ ...query, ...after, limit: size });
    });
  }

  /** Returns the trace of a transaction, or of a message if no transaction has this hash. Undefined without either. */
  async trace(hash: string): Promise<Trace | undefined> {
    return (await this.traceBy('tx_hash', hash)) ?? (await this.traceBy('msg_hash', hash));
  }

  /** Returns the trace of a transaction. Undefined if the index does not have the transaction. */
  async traceOfTransaction(hash: string): Promise<Trace | undefined> {
    const trace = await this.traceBy('tx_hash', hash);
    if (trace?.isComplete && !trace.transactions.some((it) => it.hash === hash))
      throw badReply('the trace lacks its transaction');
    return trace;
  }

  /**
   * Returns transactions of an account, newest first: this one and those before it. Each is parsed from its own cells,
   * and its successor contains its hash.
   */
  async chain(account: string, from: TransactionPlace, count: number): Promise<AccountTransaction[]> {
    const size = { limit: count, pageSize: mostCells, isShortLast: false, ranges: this.cellRanges };
    return readPages<AccountTransaction>(size, async (last, limit) => {
      let next = last === undefined ? from : previousOf(last);
      if (next.lt === 0n) return [];
      const page = await this.cells(account, next, limit);
      for (const transaction of page) {
        if (transaction.lt !== next.lt || transaction.hash !== next.hash)
          throw badReply('a transaction does not link to the one before it');
        next = previousOf(transaction);
      }
      return page;
    });
  }

  /** Runs a get method. An exit code other than 0 is a result and does not throw. */
  async runGetMethod(
    address: string,
    method: string,
    stack: readonly StackArgument[] = [],
  ): Promise<GetMethodResult> {
    const params = { address, method, stack: writeStack(stack) };
    const result = await this.ask('runGetMethod', params, (reply) => reply);
    return readReplyAsync(provider, () => readGetMethodResult(result));
  }

  /** Returns the balance in nanotons; 0 for an unused account. */
  async balance(address: string): Promise<bigint> {
    return this.ask('getAddressBalance', { address }, (result) => {
      if (typeof result !== 'string' || !/^[0-9]{1,39}$/.test(result))
        throw new UnreadableReply('the balance is not a number');
      return BigInt(result);
    });
  }

  private async indexedPage({ account, startUtime, startLt, endLt, sort, limit }: IndexQuery) {
    const text = (value: bigint | number | undefined) => (value === undefined ? undefined : String(value));
    const query = {
      account,
      start_utime: text(startUtime),
      start_lt: text(startLt),
      end_lt: text(endLt),
      sort,
      limit: String(limit),
    };
    const found = await this.index('/transactions', query, readIndexed, pageLimit);
    if (found.length > limit) throw badReply('the page is longer than its limit');
    if (found.some((it) => it.account !== account))
      throw badReply('a transaction belongs to another account');
    return found;
  }

  private async cells(account: string, from: TransactionPlace, limit: number): Promise<AccountTransaction[]> {
    const hash = Buffer.from(from.hash, 'hex').toString('base64');
    const params = { address: account, lt: String(from.lt), hash, limit, archival: true };
    const items = await this.ask('getTransactions', params, (it) => readCells(it, limit), pageLimit);
    return readReplyAsync(provider, () =>
      Promise.all(items.map((data) => transactionOf(account, Buffer.from(data, 'base64')))),
    );
  }

  private async traceBy(name: 'tx_hash' | 'msg_hash', hash: string): Promise<Trace | undefined> {
    try {
      return await this.index('/traces', { [name]: hash, limit: '1' }, readTrace, traceLimit);
    } catch (error) {
      if (error instanceof OversizedReply) return endlessTrace;
      // Some indexes return 404 instead of an empty list.
      if (error instanceof ProviderError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Verifies the network. Concurrent calls share one verification. */
  private async verifyNetwork(): Promise<void> {
    if (this.verifiedAtMs !== undefined && this.clock.now() - this.verifiedAtMs < verifyEveryMs) return;
    this.verifying ??= this.readNetwork().finally(() => (this.verifying = undefined));
    await this.verifying;
  }

  private async readNetwork(): Promise<void> {
    const [own, indexed] = await Promise.all([
      this.ownHead().then((it) => this.header(it)),
      this.indexHead(),
    ]);
    for (const { globalId } of [own, indexed]) {
      if (globalId === this.globalId) continue;
      const message = `serves the network ${String(globalId)}, not ${this.globalId}`;
      throw new ProviderError(provider, { kind: 'unavailable', message });
    }
    this.verifiedAtMs = this.clock.now();
  }

  private ownHead(): Promise<number> {
    return this.client.call('getMasterchainInfo', {}, (result) =>
      readSeqno(readFields(readFields(result, 'the masterchain')['last'], 'last')['seqno'], 'seqno'),
    );
  }

  private indexHead(): Promise<{ seqno: number; globalId: unknown }> {
    return this.client.get('/masterchainInfo', {}, (reply) => {
      const last = readFields(readFields(reply, 'the masterchain')['last'], 'last');
      return { seqno: readSeqno(last['seqno'], 'seqno'), globalId: last['global_id'] };
    });
  }

  private header(seqno: number): Promise<{ block: BlockRef; globalId: unknown }> {
    return this.client.call('getBlockHeader', { ...masterchain, seqno }, (result) => {
      const header = readFields(result, 'a block');
      const id = readFields(header['id'], 'id');
      if (id['workchain'] !== -1 || id['seqno'] !== seqno)
        throw new UnreadableReply('the reply has another block');
      const [before] = readList(header['prev_blocks'], 'prev_blocks', 2);
      const block = {
        height: seqno,
        hash: readHash(id['root_hash'], 'root_hash'),
        // The first block has no parent.
        parentHash:
          before === undefined ? '' : readHash(readFields(before, 'prev_blocks')['root_hash'], 'root_hash'),
        timeMs: readTime(header['gen_utime'], 'gen_utime') * 1_000,
      };
      return { block, globalId: header['global_id'] };
    });
  }

  private async ask<T>(
    method: string,
    params: object,
    read: (result: unknown) => T,
    limit: ReplyLimit = {},
  ): Promise<T> {
    await this.verifyNetwork();
    return this.client.call(method, params, read, limit);
  }

  private async index<T>(
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    read: (reply: unknown) => T,
    limit: ReplyLimit = {},
  ): Promise<T> {
    await this.verifyNetwork();
    return this.client.get(path, query, read, limit);
  }
}

function readCells(result: unknown, limit: number): string[] {
  if (!Array.isArray(result) || result.length === 0) throw new UnreadableReply('a transaction is missing');
  return result.slice(0, limit).map((item) => {
    return readText(readFields(item, 'a transaction')['data'], 'data');
  });
}

const previousOf = ({ parsed }: AccountTransaction): TransactionPlace => ({
  lt: parsed.prevTransactionLt,
  hash: parsed.prevTransactionHash.toString(16).padStart(64, '0'),
});

const placeOf = (fields: Fields): TransactionPlace => ({
  lt: readLt(fields['lt'], 'lt'),
  hash: readHash(fields['hash'], 'hash'),
});
