import type { Clock } from '@tollbridge/database';
import type { Cell, loadMessage } from '@ton/core';
import { MessageRejected, contractOf, type TonChain } from './ton-chain';
import type { StoredTransaction } from './ton.repository';
import {
  addressIn,
  cellIn,
  hashIn,
  methodIn,
  stackIn,
  wholeIn,
  isTrue,
  type Params,
} from './toncenter-params';
import { extra } from './toncenter-encoding';
import { ToncenterRejection } from './toncenter-rejection';
import { describeFees, describeTransaction } from './toncenter-transactions.wire';
import {
  balanceOf,
  describeAddress,
  describeExtended,
  describeHeader,
  describeMasterchain,
  describeRun,
  describeWallet,
  stateOf,
  type Sight,
} from './toncenter.wire';

type Method = (params: Params) => Promise<unknown>;

const maxLt = 2n ** 63n;
const maxSeqno = 2n ** 31n;
const [defaultLimit, mostTransactions] = [10, 100n];
const mostDescriptions = 1_000;
// A batch of 254 payments takes seconds on a busy machine, while clients time out.
const longestWaitMs = 2_000;
// Offset of the sequence number in each wallet's data, by code hash.
const walletTypes: Readonly<Record<string, string>> = {
  '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599': 'wallet v3 r2',
  b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581: 'wallet v3 r1',
  feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0: 'wallet v4 r2',
};

/** Toncenter's methods by name, for JSON-RPC and for paths. */
export class ToncenterMethods {
  /** Descriptions by transaction hash. */
  private readonly descriptions = new Map<string, object>();
  private readonly byName: Readonly<Record<string, Method>> = {
    getAddressInformation: (params) => this.addressInformation(params),
    getExtendedAddressInformation: async (params) => {
      const address = await addressIn(params);
      return describeExtended(address, await this.chain.account(address), await this.sight());
    },
    getWalletInformation: (params) => this.walletInformation(params),
    getAddressBalance: async (params) =>
      balanceOf((await this.chain.account(await addressIn(params))).account),
    getAddressState: async (params) => stateOf((await this.chain.account(await addressIn(params))).account),
    getTransactions: (params) => this.transactions(params),
    runGetMethod: (params) => this.runGetMethod(params),
    sendBoc: async (params) => {
      await this.send(params);
      return { '@type': 'ok', '@extra': extra(this.clock.now()) };
    },
    sendBocReturnHash: async (params) => ({
      '@type': 'raw.extMessageInfo',
      hash: await this.send(params),
      '@extra': extra(this.clock.now()),
    }),
    estimateFee: (params) => this.estimateFee(params),
    getMasterchainInfo: async () => describeMasterchain(await this.sight()),
    getConsensusBlock: async () => {
      const { seqno, nowMs } = await this.sight();
      return { consensus_block: seqno, timestamp: nowMs / 1_000 };
    },
    getBlockHeader: (params) => this.blockHeader(params),
  };

  constructor(
    private readonly chain: TonChain,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** @throws ToncenterRejection */
  async call(name: unknown, params: Params): Promise<unknown> {
    if (typeof name !== 'string' || !Object.hasOwn(this.byName, name))
      throw new ToncenterRejection(404, 'Unknown method');
    try {
      return await this.byName[name]!(params);
    } catch (error) {
      throw error instanceof MessageRejected ? new ToncenterRejection(500, error.message) : error;
    }
  }

  private async sight(): Promise<Sight> {
    return { seqno: await this.chain.seqno(), nowMs: this.clock.now() };
  }

  /**
   * With `seqno`, the last transaction is the account's last transaction in that block. The state is always the newest,
   * because the chain does not store earlier states.
   */
  private async addressInformation(params: Params): Promise<object> {
    const address = await addressIn(params);
    const [state, sight] = [await this.chain.account(address), await this.sight()];
    const seqno = wholeIn(params, 'seqno', maxSeqno);
    if (seqno === undefined) return describeAddress(state, sight);
    requirePublished(seqno, sight);
    const last = await this.chain.lastTransaction(address, Number(seqno));
    const then = {
      ...state,
      lastTransactionLt: last?.lt ?? 0n,
      lastTransactionHash: BigInt(`0x${last?.hash ?? '0'}`),
    };
    return describeAddress(then, { ...sight, seqno: Number(seqno) });
  }

  private async walletInformation(params: Params): Promise<object> {
    const state = await this.chain.account(await addressIn(params));
    const contract = contractOf(state.account);
    const type = contract && walletTypes[contract.code.hash().toString('hex')];
    if (!type) return describeWallet(state, undefined);
    const data = contract.data.beginParse();
    return describeWallet(state, { type, seqno: data.loadUint(32), walletId: data.loadUint(32) });
  }

  private async transactions(params: Params): Promise<object[]> {
    const account = await addressIn(params);
    const limit = Number(wholeIn(params, 'limit', mostTransactions) ?? defaultLimit);
    const [fromLt, toLt] = [wholeIn(params, 'lt', maxLt), wholeIn(params, 'to_lt', maxLt) ?? 0n];
    const hash = hashIn(params, 'hash');
    if ((fromLt === undefined) !== (hash === undefined))
      throw new ToncenterRejection(422, 'lt and hash: pass both or neither');
    if (limit === 0) throw new ToncenterRejection(422, 'limit: expected at least 1');
    const found = await this.chain.transactions({ account, fromLt, toLt, limit });
    const isThere = hash === undefined || isFirst(found, fromLt!, hash);
    if (!isThere && fromLt! > toLt)
      throw new ToncenterRejection(
        500,
        'LITE_SERVER_NOTREADY: cannot find transaction with this lt and hash',
      );
    const core = await import('@ton/core');
    return found.map((one) => this.describe(one, core));
  }

  /** Caches descriptions, because a transaction never changes, and clients poll the newest ones. */
  private describe(transaction: StoredTransaction, core: typeof import('@ton/core')): object {
    const known = this.descriptions.get(transaction.hash);
    if (known) return known;
    const description = describeTransaction(transaction, core);
    if (this.descriptions.size >= mostDescriptions) this.descriptions.clear();
    this.descriptions.set(transaction.hash, description);
    return description;
  }

  private async runGetMethod(params: Params): Promise<object> {
    const address = await addressIn(params);
    const [method, stack] = await Promise.all([methodIn(params), stackIn(params)]);
    const answer = await this.chain.call(address, method, stack);
    return describeRun(answer, await this.chain.account(address), await this.sight());
  }

  /** Sends a message. Returns its hash in base64. */
  private async send(params: Params): Promise<string> {
    const message = await cellIn(params, 'boc');
    if (!message) throw new ToncenterRejection(422, 'boc: is required');
    const { loadMessage } = await import('@ton/core');
    if (!isExternalIn(message, loadMessage))
      throw new ToncenterRejection(500, 'LITE_SERVER_UNKNOWN: boc is not an external message');
    await this.carriedOut(message);
    return message.hash().toString('base64');
  }

  /** Returns when all consequences are executed. After a long wait, returns when the message is accepted. */
  private async carriedOut(message: Cell): Promise<void> {
    let isAnswered = false;
    await new Promise<void>((resolve, reject) => {
      const answer = (): void => {
        isAnswered = true;
        resolve();
      };
      const onTaken = (): void => void setTimeout(answer, longestWaitMs).unref();
      const fail = (error: Error): void => (isAnswered ? this.onError(error) : reject(error));
      this.chain.send(message, onTaken).then(answer, fail);
    });
  }

  private async estimateFee(params: Params): Promise<object> {
    const address = await addressIn(params);
    const [body, code, data] = await Promise.all([
      cellIn(params, 'body'),
      cellIn(params, 'init_code'),
      cellIn(params, 'init_data'),
    ]);
    if (!body) throw new ToncenterRejection(422, 'body: is required');
    const { Address, beginCell, Cell, external, loadTransaction, storeMessage } = await import('@ton/core');
    const init = code && data ? { init: { code, data } } : {};
    const message = external({ to: Address.parseRaw(address), body, ...init });
    const cell = beginCell().store(storeMessage(message)).endCell();
    // Like toncenter, ignores the signature unless the request asks for its verification.
    const ignoresSignature = params['ignore_chksig'] === undefined || isTrue(params, 'ignore_chksig');
    const boc = await this.chain.try(cell, ignoresSignature);
    return describeFees(loadTransaction(Cell.fromBase64(boc).beginParse()), this.clock.now());
  }

  private async blockHeader(params: Params): Promise<object> {
    const sight = await this.sight();
    const seqno = wholeIn(params, 'seqno', maxSeqno);
    if (seqno === undefined || String(params['workchain']) !== '-1')
      throw new ToncenterRejection(422, 'workchain and seqno: only blocks of the masterchain are supported');
    requirePublished(seqno, sight);
    return describeHeader(Number(seqno), await this.chain.blockTimeS(Number(seqno)), sight);
  }
}

function requirePublished(seqno: bigint, sight: Sight): void {
  if (seqno > BigInt(sight.seqno))
    throw new ToncenterRejection(500, 'LITE_SERVER_NOTREADY: block is not applied');
}

const isFirst = ([first]: StoredTransaction[], lt: bigint, hash: string): boolean =>
  first?.lt === lt && first.hash === hash;

function isExternalIn(message: Cell, load: typeof loadMessage): boolean {
  try {
    return load(message.beginParse()).info.type === 'external-in';
  } catch {
    return false;
  }
}
