import type { Clock } from '@tollbridge/database';
import { isRawAddress } from '@tollbridge/ton';
import type { Account, Cell, ShardAccount, TupleItem } from '@ton/core';
import { messageHashes } from './message-hashes';
import type {
  ChainState,
  IndexQuery,
  NewTransaction,
  StoredTransaction,
  TonRepository,
  TransactionsPage,
} from './ton.repository';
import { Tvm, type TvmAnswer } from './tvm';

/** Thrown when the chain rejects a message, with the error text of a lite server. */
export class MessageRejected extends Error {}

export interface TonChainOptions {
  repository: TonRepository;
  clock: Clock;
  /**
   * Returns messages that create the initial state. For a chain of an earlier version, returns messages for the missing
   * accounts.
   * @param isKnown returns whether an account exists
   */
  genesis(isKnown: (address: string) => Promise<boolean>): Promise<Cell[]>;
}

interface Loaded {
  tvm: Tvm;
  core: typeof import('@ton/core');
  state: ChainState;
}

/** A message in transit. */
interface Sent {
  message: Cell;
  /** Raw address. */
  to: string;
  /** Hash of the first transaction of its trace; undefined for the message that starts one. */
  trace?: string;
}

/** The changes of one message before they are stored. */
interface Work extends Loaded {
  nowS: number;
  lt: bigint;
  accounts: Map<string, string>;
  transactions: NewTransaction[];
}

// The step between logical times on the real network.
const ltStep = 1_000_000n;
// Limit for one message and its consequences. A batch of 254 jetton transfers has about 1,300 transactions.
const mostTransactions = 5_000;
// More messages than any test sends at the same time. Later messages would wait for seconds.
const mostWaiting = 500;
// Executes other requests after this number of transactions.
const transactionsAtOnce = 20;
const mostCached = 5_000;
// Above the number of every block.
const anySeqno = 2 ** 31 - 1;
// One block per second. Like on a node, numbers start at 1.
const blockMs = 1_000;

/**
 * A TON network of one node. Accounts, transactions and get methods are real, and blocks follow a clock. Each message
 * is executed with all its consequences, one message at a time, and stored in one commit before it is reported.
 */
export class TonChain {
  private loading: Promise<Loaded> | undefined;
  private tvm: Tvm | undefined;
  private readonly cache = new Map<string, string>();
  private tail: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** Block of the transactions that are being stored. It is not published before the commit. */
  private storing: number | undefined;

  constructor(private readonly options: TonChainOptions) {}

  /**
   * Returns the height of the masterchain, which increases once a second. A published block gets no more transactions.
   */
  async seqno(): Promise<number> {
    const { state } = await this.loaded();
    return this.seqnoOf(state);
  }

  private seqnoOf({ genesisAtMs }: ChainState): number {
    const due = 1 + Math.max(0, Math.floor((this.options.clock.now() - genesisAtMs) / blockMs));
    return this.storing === undefined ? due : Math.min(due, this.storing - 1);
  }

  /** Returns the time of a block in Unix seconds. */
  async blockTimeS(seqno: number): Promise<number> {
    const { state } = await this.loaded();
    return Math.floor((state.genesisAtMs + Math.max(0, seqno - 1) * blockMs) / 1_000);
  }

  get nowS(): number {
    return Math.floor(this.options.clock.now() / 1_000);
  }

  /**
   * Executes an external message. Returns the transactions that it caused, in order.
   * @param onTaken called when the account has accepted the message, before its consequences
   * @throws MessageRejected
   */
  send(message: Cell, onTaken: () => void = () => undefined): Promise<NewTransaction[]> {
    return this.inTurn(async (loaded) => {
      const work = this.begin(loaded);
      await this.carryOut(work, [message], onTaken);
      await this.store(work);
      return work.transactions;
    });
  }

  /** Returns the transaction that an external message would cause now. @throws MessageRejected */
  try(message: Cell, ignoreSignature: boolean): Promise<string> {
    return this.inTurn(async (loaded) => {
      const work = this.begin(loaded);
      return this.runOne(work, { message, to: destinationOf(message, loaded.core) }, ignoreSignature);
    });
  }

  /** Resolves when all sent messages are stored. */
  async idle(): Promise<void> {
    await this.tail;
  }

  async close(): Promise<void> {
    await this.idle();
    await this.loading?.catch(() => undefined);
    await this.tvm?.close();
  }

  async account(address: string): Promise<ShardAccount> {
    const { core } = await this.loaded();
    return core.loadShardAccount(core.Cell.fromBase64(await this.shardAccount(address)).beginParse());
  }

  transactions(page: TransactionsPage): Promise<StoredTransaction[]> {
    return this.loaded().then(() => this.options.repository.transactions(page));
  }

  /** Returns transactions of an account in published blocks. */
  async indexed(query: Omit<IndexQuery, 'maxSeqno'>): Promise<StoredTransaction[]> {
    return this.options.repository.indexed({ ...query, maxSeqno: await this.seqno() });
  }

  /** Returns the published transactions of a trace, found by one of its transactions or by an incoming message. */
  async trace(of: { hash: string } | { messageHash: string }): Promise<StoredTransaction[]> {
    return this.options.repository.trace(of, await this.seqno());
  }

  /** Returns the trace of a message, even before its block is published. Empty when the message was not executed. */
  async executed(messageHash: string): Promise<StoredTransaction[]> {
    return this.options.repository.trace({ messageHash }, anySeqno);
  }

  async lastTransaction(account: string, seqno: number): Promise<{ lt: bigint; hash: string } | undefined> {
    return this.options.repository.lastTransaction(account, seqno);
  }

  /** Calls a get method. Returns exit code -13 for an account without code, like lite servers. */
  async call(address: string, methodId: number, stack: TupleItem[]): Promise<TvmAnswer> {
    const { tvm, core } = await this.loaded();
    const { account } = await this.account(address);
    const contract = contractOf(account);
    if (!contract) return { exitCode: -13, gasUsed: 0, stack: [] };
    const balance = account!.storage.balance.coins;
    const nowS = this.nowS;
    return tvm.call({ address: core.Address.parseRaw(address), ...contract, balance, methodId, stack, nowS });
  }

  /** Loads the chain with the first request. The next request retries a failed start. */
  loaded(): Promise<Loaded> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async load(): Promise<Loaded> {
    const { repository, clock, genesis } = this.options;
    const [core, stored] = await Promise.all([import('@ton/core'), repository.state()]);
    this.tvm ??= new Tvm(core);
    const loaded = { tvm: this.tvm, core, state: stored ?? { genesisAtMs: clock.now(), lt: 0n } };
    const isKnown = async (address: string) => (await repository.account(address)) !== undefined;
    const messages = await genesis(isKnown);
    if (messages.length === 0) return loaded;
    const work = this.begin(loaded);
    await this.carryOut(work, messages);
    await this.store(work);
    return loaded;
  }

  private async inTurn<T>(run: (loaded: Loaded) => Promise<T>): Promise<T> {
    if (this.waiting >= mostWaiting) throw new MessageRejected('LITE_SERVER_NOTREADY: too many messages');
    this.waiting++;
    const turn = this.tail.then(async () => run(await this.loaded())).finally(() => this.waiting--);
    this.tail = turn.catch(() => undefined);
    return turn;
  }

  private begin(loaded: Loaded): Work {
    const { state } = loaded;
    return { ...loaded, nowS: this.nowS, lt: state.lt, accounts: new Map(), transactions: [] };
  }

  /** Executes messages in the order of their creation, as the network delivers messages between two accounts. */
  private async carryOut(work: Work, messages: Cell[], onTaken?: () => void): Promise<void> {
    const queue: Sent[] = messages.map((message) => ({ message, to: destinationOf(message, work.core) }));
    for (let next = 0; next < queue.length; next++) {
      if (next >= mostTransactions) throw new MessageRejected('LITE_SERVER_UNKNOWN: too many transactions');
      if (next % transactionsAtOnce === transactionsAtOnce - 1)
        await new Promise((resolve) => setImmediate(resolve));
      const boc = await this.runOne(work, queue[next]!);
      onTaken?.();
      queue.push(...this.record(work, queue[next]!, boc));
    }
  }

  private async runOne(work: Work, { message, to }: Sent, ignoreSignature = false): Promise<string> {
    const shardAccount = work.accounts.get(to) ?? (await this.shardAccount(to));
    work.lt += ltStep;
    const { tvm, nowS, lt } = work;
    const run = await tvm.run({ shardAccount, message, nowS, lt, ignoreSignature });
    if (!run.isTaken) throw new MessageRejected(rejection(to, run));
    work.accounts.set(to, run.shardAccount);
    return run.transaction;
  }

  /** Records a transaction, and returns its outgoing messages. */
  private record({ core, transactions, ...work }: Work, { to, trace: parent }: Sent, boc: string): Sent[] {
    const cell = core.Cell.fromBase64(boc);
    const { lt, outMessages } = core.loadTransaction(cell.beginParse());
    const hash = cell.hash().toString('hex');
    const trace = parent ?? hash;
    // Each outgoing message uses its own logical time.
    if (lt > work.lt) throw new Error('the logical time of the emulator is ahead of the chain');
    transactions.push({ account: to, lt, hash, boc, trace, messageHashes: messageHashes(cell, core) });
    return outMessages.values().flatMap((one) => {
      if (one.info.type !== 'internal') return [];
      const message = core.beginCell().store(core.storeMessage(one)).endCell();
      return [{ message, to: one.info.dest.toRawString(), trace }];
    });
  }

  private async store({ state, lt, accounts, transactions }: Work): Promise<void> {
    const seqno = this.seqnoOf(state) + 1;
    this.storing = seqno;
    try {
      await this.options.repository.commit({ ...state, lt, accounts, transactions, seqno });
    } catch (error) {
      // The commit may have succeeded, so the next request loads the stored state.
      this.loading = undefined;
      this.cache.clear();
      throw error;
    } finally {
      this.storing = undefined;
    }
    state.lt = lt;
    if (this.cache.size + accounts.size > mostCached) this.cache.clear();
    for (const [address, account] of accounts) this.cache.set(address, account);
  }

  private async shardAccount(address: string): Promise<string> {
    const known = this.cache.get(address) ?? (await this.options.repository.account(address));
    return known ?? emptyAccount(address, await import('@ton/core'));
  }
}

/** Returns an unused account, without coins and code. */
function emptyAccount(address: string, core: typeof import('@ton/core')): string {
  const account: ShardAccount = {
    account: {
      addr: core.Address.parseRaw(address),
      storage: { lastTransLt: 0n, balance: { coins: 0n }, state: { type: 'uninit' } },
      storageStats: { used: { cells: 0n, bits: 0n }, storageExtra: null, lastPaid: 0, duePayment: null },
    },
    lastTransactionLt: 0n,
    lastTransactionHash: 0n,
  };
  return core.beginCell().store(core.storeShardAccount(account)).endCell().toBoc().toString('base64');
}

/** @throws MessageRejected for a destination outside this network */
function destinationOf(message: Cell, { loadMessage }: typeof import('@ton/core')): string {
  const { info } = loadMessage(message.beginParse());
  const to = info.type === 'external-out' ? undefined : info.dest.toRawString();
  if (to === undefined || !isRawAddress(to))
    throw new MessageRejected('LITE_SERVER_UNKNOWN: cannot apply external message to current state');
  return to;
}

function rejection(to: string, { error, exitCode }: { error: string; exitCode: number | undefined }): string {
  const because = exitCode === undefined ? error : `${error}: exitcode=${exitCode}`;
  return `LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by account ${to}: ${because}`;
}

export function contractOf(account: Account | null | undefined): { code: Cell; data: Cell } | undefined {
  const state = account?.storage.state;
  if (state?.type !== 'active' || !state.state.code || !state.state.data) return undefined;
  return { code: state.state.code, data: state.state.data };
}
