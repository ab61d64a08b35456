import { rawAddressOf } from '@tollbridge/ton';
import type { Cell } from '@ton/core';
import { readGenesis } from './genesis';
import type { TonChain } from './ton-chain';
import type { IndexQuery, StoredTransaction } from './ton.repository';
import {
  describeIndexBlock,
  describeIndexTransaction,
  describeJettonWallet,
  describeTrace,
  type JettonWalletState,
} from './toncenter-index.wire';
import { addressIn, hashIn, wholeIn, type Params } from './toncenter-params';
import { ToncenterRejection } from './toncenter-rejection';

const maxLt = 2n ** 63n;
const maxSeqno = 2n ** 31n;
const [defaultLimit, maxLimit] = [10, 1_000n];
const maxMasters = 20;
const maxDescribed = 1_000;

/** Toncenter's index (api/v3): transactions by hash and by message, with their masterchain blocks. */
export class ToncenterIndex {
  private readonly byPath: Readonly<Record<string, (query: Params) => Promise<object>>> = {
    masterchainInfo: async () => ({
      first: await this.block(1),
      last: await this.block(await this.chain.seqno()),
    }),
    blocks: (query) => this.blocks(query),
    transactions: (query) => this.transactions(query),
    traces: (query) => this.traces(query),
    'jetton/wallets': (query) => this.jettonWallets(query),
  };

  /**
   * Descriptions by transaction hash. A transaction never changes, and parsing its cells takes most of a request's
   * time.
   */
  private readonly described = new Map<string, object>();

  constructor(private readonly chain: TonChain) {}

  /** @throws ToncenterRejection */
  read(path: string, query: Params): Promise<object> {
    if (!Object.hasOwn(this.byPath, path)) throw new ToncenterRejection(404, 'Unknown method');
    return this.byPath[path]!(query);
  }

  private async block(seqno: number): Promise<object> {
    return describeIndexBlock(seqno, await this.chain.blockTimeS(seqno));
  }

  /** Returns blocks of the masterchain up to a time. */
  private async blocks(query: Params): Promise<object> {
    const endS = wholeIn(query, 'end_utime', maxSeqno);
    if (query['workchain'] !== '-1' || endS === undefined || query['sort'] !== 'desc')
      throw new ToncenterRejection(422, 'only workchain=-1 with end_utime, newest first, is supported here');
    let seqno = await this.chain.seqno();
    const startS = await this.chain.blockTimeS(1);
    seqno = Math.min(seqno, Number(endS) - startS + 2);
    while (seqno >= 1 && (await this.chain.blockTimeS(seqno)) > Number(endS)) seqno--;
    const count = Math.min(Number(wholeIn(query, 'limit', maxLimit) ?? defaultLimit), Math.max(0, seqno));
    const blocks = Array.from({ length: count }, (_, at) => this.block(seqno - at));
    return { blocks: await Promise.all(blocks) };
  }

  private async transactions(query: Params): Promise<object> {
    const seqno = wholeIn(query, 'mc_seqno', maxSeqno);
    const startS = wholeIn(query, 'start_utime', maxSeqno);
    const wanted: Omit<IndexQuery, 'maxSeqno'> = {
      account: await addressIn(query, 'account'),
      fromLt: wholeIn(query, 'start_lt', maxLt),
      toLt: wholeIn(query, 'end_lt', maxLt),
      seqno: seqno === undefined ? undefined : Number(seqno),
      minSeqno: startS === undefined ? 0 : await this.firstBlockAt(Number(startS)),
      limit: Number(wholeIn(query, 'limit', maxLimit) ?? defaultLimit),
      isAscending: query['sort'] === 'asc',
    };
    const [core, found] = await Promise.all([import('@ton/core'), this.chain.indexed(wanted)]);
    return { transactions: found.map((one) => this.describe(one, core)), address_book: {} };
  }

  /**
   * Returns the first block that may contain a transaction of this time: a transaction is never later than its block.
   */
  private async firstBlockAt(timeS: number): Promise<number> {
    return Math.max(0, timeS - (await this.chain.blockTimeS(1)));
  }

  private async traces(query: Params): Promise<object> {
    const [hash, messageHash] = [hashIn(query, 'tx_hash'), hashIn(query, 'msg_hash')];
    if ((hash === undefined) === (messageHash === undefined))
      throw new ToncenterRejection(422, 'pass either tx_hash or msg_hash');
    const found = await this.chain.trace(hash === undefined ? { messageHash: messageHash! } : { hash });
    const core = await import('@ton/core');
    const described = found.map((one) => this.describe(one, core));
    return { traces: found.length === 0 ? [] : [describeTrace(found, described)], address_book: {} };
  }

  private describe(stored: StoredTransaction, core: typeof import('@ton/core')): object {
    const known = this.described.get(stored.hash);
    if (known) return known;
    const described = describeIndexTransaction(stored, core);
    if (this.described.size >= maxDescribed) this.described.clear();
    this.described.set(stored.hash, described);
    return described;
  }

  /** Returns an owner's wallets of the given jettons, by default of the sandbox's jetton. */
  private async jettonWallets(query: Params): Promise<object> {
    const owner = await addressIn(query, 'owner_address');
    const given = [query['jetton_address'] ?? []].flat();
    if (given.length > maxMasters)
      throw new ToncenterRejection(422, `jetton_address: expected at most ${maxMasters} addresses`);
    const { usdt } = await readGenesis();
    const masters =
      given.length === 0 ? [usdt.address.toRawString()] : await Promise.all(given.map(rawMaster));
    const wallets = await Promise.all(masters.map((master) => this.jettonWallet(owner, master)));
    return {
      jetton_wallets: wallets.flatMap((it) => (it ? [describeJettonWallet(it)] : [])),
      address_book: {},
    };
  }

  /** Returns undefined for an owner without a deployed wallet. */
  private async jettonWallet(owner: string, master: string): Promise<JettonWalletState | undefined> {
    const { Address, beginCell, getMethodId, TupleReader } = await import('@ton/core');
    const ownerCell: Cell = beginCell().storeAddress(Address.parseRaw(owner)).endCell();
    const computed = await this.chain.call(master, getMethodId('get_wallet_address'), [
      { type: 'slice', cell: ownerCell },
    ]);
    if (computed.exitCode !== 0) return undefined;
    const address = new TupleReader(computed.stack).readAddress().toRawString();
    const data = await this.chain.call(address, getMethodId('get_wallet_data'), []);
    if (data.exitCode !== 0) return undefined;
    const { lastTransactionLt } = await this.chain.account(address);
    return {
      address,
      owner,
      master,
      balance: new TupleReader(data.stack).readBigNumber(),
      lastTransactionLt,
    };
  }
}

async function rawMaster(text: unknown): Promise<string> {
  const address = typeof text === 'string' ? await rawAddressOf(text, { allowTestForm: true }) : undefined;
  if (address === undefined) throw new ToncenterRejection(422, 'jetton_address: expected an address');
  return address;
}
