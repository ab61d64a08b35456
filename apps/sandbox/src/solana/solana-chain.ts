import type { Clock } from '@tollbridge/database';
import { parseTransaction, systemProgram, type ParsedTransaction } from '@tollbridge/onchain/solana';
import { Executor, type Executed } from './executor';
import { genesisAccounts, payProgram, x402Accounts } from './genesis';
import { Slots } from './slots';
import { rpcCodes, SolanaRejection } from './solana-rejection';
import type { AccountState, SolanaRepository, StoredTransaction } from './solana.repository';
import { Svm, type Execution } from './svm';
import type { TransactionErrorJson } from './transaction-meta';

export interface SolanaChainOptions {
  repository: SolanaRepository;
  clock: Clock;
}

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export interface SimulationOptions {
  verifiesSignatures: boolean;
  replacesBlockhash: boolean;
}

interface Loaded {
  svm: Svm;
  slots: Slots;
  accounts: Map<string, AccountState>;
  newest: { slot: number; position: number };
}

// More transactions than any test sends at the same time. Later transactions would wait for seconds.
const mostWaiting = 500;

/**
 * A Solana network of one node. Programs, accounts and fees are real, and blocks follow a clock. A transaction is
 * executed in the next block and committed with all changed accounts, before its signature is returned.
 */
export class SolanaChain {
  private loading: Promise<Loaded> | undefined;
  private tail: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** Slot of the transaction that is being stored. The slot is not published before the commit. */
  private storing: number | undefined;

  constructor(private readonly options: SolanaChainOptions) {}

  async slots(): Promise<Slots> {
    return (await this.loaded()).slots;
  }

  /** Returns the newest slot with the given commitment. */
  async slot(commitment: Commitment): Promise<number> {
    const { slots } = await this.loaded();
    const head = this.headOf(slots);
    return commitment === 'finalized' ? slots.finalAt(head) : head;
  }

  async account(address: string): Promise<AccountState | undefined> {
    const { svm, accounts } = await this.loaded();
    return accounts.get(address) ?? svm.account(address);
  }

  async accounts(): Promise<ReadonlyMap<string, AccountState>> {
    return (await this.loaded()).accounts;
  }

  async rent(bytes: number): Promise<bigint> {
    return (await this.loaded()).svm.rent(bytes);
  }

  get stored(): SolanaRepository {
    return this.options.repository;
  }

  /**
   * Executes a transaction in the next block.
   * @param skipsPreflight whether the block also contains a transaction that fails
   * @returns its signature, even when the network drops it
   * @throws SolanaRejection
   */
  send(wire: Uint8Array, skipsPreflight: boolean): Promise<string> {
    const parsed = parseTransaction(wire);
    return this.inTurn(async (loaded) => {
      const signature = parsed.signatures[0]!;
      const rejection = await this.rejection(loaded, parsed);
      if (!skipsPreflight) this.requireSuccess(loaded, wire, rejection);
      if (rejection === null) await this.execute(loaded, wire, parsed);
      return signature;
    });
  }

  /** Returns the result that a transaction would have now. */
  simulate(wire: Uint8Array, options: SimulationOptions): Promise<Execution> {
    const parsed = parseTransaction(wire);
    return this.inTurn(async (loaded) => {
      const rejection = await this.rejection(loaded, parsed);
      if (rejection !== null && !(rejection === 'BlockhashNotFound' && options.replacesBlockhash))
        return { err: rejection, logMessages: [], innerInstructions: [], computeUnitsConsumed: 0, fee: 0n };
      this.setTime(loaded, this.headOf(loaded.slots));
      return loaded.svm.simulate(wire, options.verifiesSignatures);
    });
  }

  /** Creates lamports. Resolves when they are stored. */
  fund(address: string, lamports: bigint): Promise<void> {
    return this.inTurn(async (loaded) => {
      const before = (await this.account(address)) ?? emptyAccount;
      await this.store(loaded, new Map([[address, { ...before, lamports: before.lamports + lamports }]]));
    });
  }

  /** Writes an account directly, without a transaction. */
  setAccount(address: string, state: AccountState): Promise<void> {
    return this.inTurn((loaded) => this.store(loaded, new Map([[address, state]])));
  }

  /** Resolves when all sent transactions are stored. */
  async idle(): Promise<void> {
    await this.tail;
  }

  /** Loads the chain with the first request. The next request retries a failed start. */
  private loaded(): Promise<Loaded> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async load(): Promise<Loaded> {
    const { repository, clock } = this.options;
    let state = await repository.state();
    if (!state) {
      state = { genesisAtMs: clock.now(), accounts: genesisAccounts(), newest: undefined };
      await repository.begin(state.genesisAtMs, state.accounts);
    }
    const { accounts } = state;
    const later = [...x402Accounts()].filter(([address]) => !accounts.has(address));
    if (later.length > 0) {
      state = { ...state, accounts: new Map([...accounts, ...later]) };
      await repository.commit({ accounts: new Map(later) });
    }
    const svm = new Svm();
    svm.addProgram(payProgram.address, payProgram.code);
    // A program is compiled when its account is set, which needs the account of its code.
    const ordered = [...state.accounts].sort(
      ([, one], [, other]) => Number(one.executable) - Number(other.executable),
    );
    for (const [address, account] of ordered) svm.setAccount(address, account);
    return {
      svm,
      slots: new Slots(state.genesisAtMs),
      accounts: new Map(state.accounts),
      newest: state.newest ?? { slot: 0, position: 0 },
    };
  }

  private headOf(slots: Slots): number {
    const due = slots.at(this.options.clock.now());
    return this.storing === undefined || due < this.storing ? due : slots.lastBlockUpTo(this.storing - 1);
  }

  /** Returns the reason why the network drops a transaction; null if it executes the transaction. */
  private async rejection(loaded: Loaded, parsed: ParsedTransaction): Promise<TransactionErrorJson | null> {
    if (!loaded.slots.isRecent(parsed.recentBlockhash, this.headOf(loaded.slots))) return 'BlockhashNotFound';
    const isKnown = await this.stored.transaction(parsed.signatures[0]!);
    return isKnown ? 'AlreadyProcessed' : null;
  }

  private requireSuccess(loaded: Loaded, wire: Uint8Array, rejection: TransactionErrorJson | null): void {
    this.setTime(loaded, this.headOf(loaded.slots));
    const { err, logMessages, computeUnitsConsumed } = loaded.svm.simulate(wire, true);
    if (err === 'SignatureFailure')
      throw new SolanaRejection(rpcCodes.signatureFailure, 'Transaction signature verification failure');
    const failure = rejection ?? err;
    if (failure === null) return;
    throw new SolanaRejection(
      rpcCodes.preflightFailure,
      `Transaction simulation failed: ${JSON.stringify(failure)}`,
      {
        accounts: null,
        err: failure,
        logs: rejection === null ? logMessages : [],
        returnData: null,
        unitsConsumed: rejection === null ? computeUnitsConsumed : 0,
      },
    );
  }

  private async execute(loaded: Loaded, wire: Uint8Array, parsed: ParsedTransaction): Promise<void> {
    const slot = Math.max(loaded.slots.next(this.headOf(loaded.slots)), loaded.newest.slot);
    this.storing = slot;
    try {
      await this.executeIn(slot, loaded, wire, parsed);
    } finally {
      this.storing = undefined;
    }
  }

  private async executeIn(
    slot: number,
    loaded: Loaded,
    wire: Uint8Array,
    parsed: ParsedTransaction,
  ): Promise<void> {
    this.setTime(loaded, slot);
    const executed = new Executor(loaded.svm, (address) => loaded.accounts.get(address)).execute(
      wire,
      parsed,
    );
    // The transaction was dropped. Like a node, the chain still returns its signature.
    if (!executed) return;
    const position = slot === loaded.newest.slot ? loaded.newest.position + 1 : 0;
    await this.record(loaded, { slot, position, wire, signature: parsed.signatures[0]! }, executed);
  }

  private async record(
    loaded: Loaded,
    transaction: Pick<StoredTransaction, 'slot' | 'position' | 'signature'> & { wire: Uint8Array },
    { meta, addresses, changed }: Executed,
  ): Promise<void> {
    const wire = Buffer.from(transaction.wire);
    await this.store(loaded, changed, { ...transaction, wire, meta, addresses });
    const { slot, position } = transaction;
    loaded.newest = { slot, position };
  }

  private async store(
    loaded: Loaded,
    accounts: ReadonlyMap<string, AccountState | undefined>,
    transaction?: StoredTransaction & { addresses: readonly string[] },
  ): Promise<void> {
    try {
      await this.stored.commit({ accounts, ...(transaction && { transaction }) });
    } catch (error) {
      // The runtime is ahead of the stored state, so the next request loads the stored state again.
      this.loading = undefined;
      throw error;
    }
    for (const [address, account] of accounts) {
      if (account) loaded.accounts.set(address, account);
      else loaded.accounts.delete(address);
      if (account && !transaction) loaded.svm.setAccount(address, account);
    }
  }

  private setTime({ svm, slots }: Loaded, slot: number): void {
    svm.setTime(slot, slots.block(slot).blockTime);
  }

  private async inTurn<T>(run: (loaded: Loaded) => Promise<T>): Promise<T> {
    if (this.waiting >= mostWaiting) throw new SolanaRejection(-32_005, 'Node is behind: too many requests');
    this.waiting++;
    const turn = this.tail.then(async () => run(await this.loaded())).finally(() => this.waiting--);
    this.tail = turn.catch(() => undefined);
    return turn;
  }
}

const emptyAccount: AccountState = {
  lamports: 0n,
  owner: systemProgram,
  data: new Uint8Array(0),
  executable: false,
};
