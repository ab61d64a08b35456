import { BcsWriter } from '@tollbridge/onchain/sui';
import type { Clock } from '@tollbridge/database';
import { execute, type Executed } from './execute';
import { genesisObjects, lookAlikeContract, payContract, solverAccount, solverCoins } from './genesis';
import { MoveVm } from './move-vm';
import { hashOf } from './objects';
import { verifySignatures } from './signatures';
import type { StoredOutcome, StoredTransaction, SuiRepository } from './sui.repository';
import { SuiRejection } from './sui-rejection';
import { parseTransactionData } from './transaction-data';

export interface Checkpoint {
  readonly height: number;
  readonly digest: string;
  readonly previousDigest: string | null;
  readonly timeMs: number;
}

export interface SuiChainOptions {
  repository: SuiRepository;
  clock: Clock;
  vm?: MoveVm;
}

// Four checkpoints per second, as on the main network.
export const checkpointMs = 250;
// More transactions than any test sends at the same time. Later transactions would wait for seconds.
const mostWaiting = 100;
const contracts = [payContract, lookAlikeContract];

/**
 * A Sui network of one node. Checkpoints follow a clock: a transaction is in the next checkpoint, and is final at the
 * checkpoint's time. Transactions are executed one at a time, each stored in one commit before it is reported.
 */
export class SuiChain {
  readonly vm: MoveVm;
  private starting: Promise<number> | undefined;
  private tail: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** Checkpoint of the transaction that is being stored. It is not published before the commit. */
  private storing: number | undefined;

  constructor(private readonly options: SuiChainOptions) {
    this.vm = options.vm ?? new MoveVm();
  }

  get repository(): SuiRepository {
    return this.options.repository;
  }

  /** The newest checkpoint. */
  async head(): Promise<Checkpoint> {
    const genesisAtMs = await this.genesisAtMs();
    return checkpointAt(this.headAt(genesisAtMs), genesisAtMs);
  }

  private headAt(genesisAtMs: number): number {
    const due = Math.floor(Math.max(0, this.options.clock.now() - genesisAtMs) / checkpointMs);
    return this.storing === undefined ? due : Math.min(due, this.storing - 1);
  }

  readonly checkpointAt = checkpointAt;

  /** Returns undefined for a checkpoint above the head. */
  async checkpoint(height: number): Promise<Checkpoint | undefined> {
    const head = await this.head();
    return height > head.height ? undefined : checkpointAt(height, await this.genesisAtMs());
  }

  /**
   * Executes a signed transaction. A transaction that was executed before is returned again.
   * @throws SuiRejection
   */
  send(bytes: Uint8Array, signatures: readonly string[]): Promise<StoredTransaction> {
    return this.inTurn(async () => {
      const data = parseTransactionData(bytes);
      verifySignatures(data, signatures);
      const [known] = await this.repository.transactions([data.digest]);
      if (known) return known;
      return this.store(await this.execute(bytes), signatures);
    });
  }

  /** Executes a transaction without a signature, and stores nothing. @throws SuiRejection */
  simulate(bytes: Uint8Array): Promise<StoredTransaction> {
    return this.inTurn(async () =>
      toStored(await this.execute(bytes), { sequence: -1, checkpoint: -1, signatures: [] }),
    );
  }

  /** Resolves when all started transactions are stored. */
  async close(): Promise<void> {
    await this.tail;
    await this.vm.close();
  }

  private async execute(bytes: Uint8Array): Promise<Executed> {
    await this.genesisAtMs();
    return execute(parseTransactionData(bytes), {
      contracts,
      vm: this.vm,
      nowMs: this.options.clock.now(),
      objects: (ids) => this.repository.objects(ids),
    });
  }

  private async store(executed: Executed, signatures: readonly string[]): Promise<StoredTransaction> {
    const [last, genesisAtMs] = [await this.repository.lastTransaction(), await this.genesisAtMs()];
    // Never a checkpoint that was already visible, even when the clock was set back.
    const checkpoint = Math.max(this.headAt(genesisAtMs) + 1, last?.checkpoint ?? 0);
    this.storing = checkpoint;
    try {
      const stored = toStored(executed, { sequence: (last?.sequence ?? 0) + 1, checkpoint, signatures });
      const { changes } = executed.effects;
      await this.repository.commit({
        transaction: stored,
        events: executed.events,
        written: changes.flatMap(({ after }) => after ?? []),
        deleted: changes.flatMap(({ id, after }) => (after ? [] : id)),
      });
      return stored;
    } finally {
      this.storing = undefined;
    }
  }

  /** Creates the chain with the first request; the next request retries a failed start. */
  private genesisAtMs(): Promise<number> {
    this.starting ??= this.start().catch((error: unknown) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  private async start(): Promise<number> {
    const stored = await this.repository.genesisAtMs();
    if (stored !== undefined) {
      await this.fundSolver();
      return stored;
    }
    const nowMs = this.options.clock.now();
    await this.repository.createGenesis(nowMs, genesisObjects());
    return nowMs;
  }

  /** Adds the solver's coins to a chain of an earlier version. */
  private async fundSolver(): Promise<void> {
    const owned = await this.repository.ownedObjects({ owner: solverAccount.address, limit: 1 });
    if (owned.length === 0) await this.repository.addObjects(solverCoins());
  }

  private async inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.waiting >= mostWaiting) throw new SuiRejection('Too many transactions wait for their execution');
    this.waiting++;
    const turn = this.tail.then(run).finally(() => this.waiting--);
    this.tail = turn.catch(() => undefined);
    return turn;
  }
}

function checkpointAt(height: number, genesisAtMs: number): Checkpoint {
  const digest = (at: number) =>
    hashOf('CheckpointSummary::', new BcsWriter().u64(BigInt(genesisAtMs)).u64(BigInt(at)).bytes);
  return {
    height,
    digest: digest(height),
    previousDigest: height === 0 ? null : digest(height - 1),
    timeMs: genesisAtMs + height * checkpointMs,
  };
}

function toStored(
  { data, effects, effectsBytes, balanceChanges }: Executed,
  place: Pick<StoredTransaction, 'sequence' | 'checkpoint' | 'signatures'>,
): StoredTransaction {
  const state = (object: { version: bigint; type: string } | null) =>
    object && { version: Number(object.version), type: object.type };
  const { failure } = effects;
  const outcome: StoredOutcome = {
    sender: data.sender,
    failure: failure ? failureText(failure) : null,
    changes: effects.changes.map(({ id, before, after }) => ({
      id,
      before: state(before),
      after: state(after),
    })),
    balanceChanges: balanceChanges.map(({ owner, coinType, amountAtomic }) => {
      return { owner, coinType, amount: String(amountAtomic) };
    }),
  };
  return { ...place, digest: data.digest, data: data.bytes, effects: effectsBytes, outcome };
}

const failureText = ({ reason, command, abort }: NonNullable<Executed['effects']['failure']>): string =>
  abort
    ? `MoveAbort(${abort.packageId}::pay, ${abort.code}) in command ${command}`
    : `${reason} in command ${command}`;
