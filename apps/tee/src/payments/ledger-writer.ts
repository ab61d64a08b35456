import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { EnclaveKey } from '../enclave/enclave-key';
import { Scope } from '../enclave/scope';
import { LedgerLease } from '../lease/ledger-lease';
import type { AccountKey } from './account';
import { Approvals } from './approvals';
import { Ledger, type Batch, type Payment } from './ledger';
import { LedgerRepository, Superseded } from './ledger.repository';
import { PaymentRates } from './payment-rates';
import type { Session, SessionKey } from './sessions';

/** Nobody knows what became of it, or nothing was tried: the same call again finds out. */
export class LedgerUnavailable extends Error {}

interface Commit {
  promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

interface Gathering {
  ledger: Ledger;
  keys: AccountKey[];
  read: Promise<void>;
}

const maxAccounts = 200_000;
const maxSessions = 200_000;
// Longer than any payment is under way.
const idleMs = 60_000;
const retryMs = 200;
const sweepMs = 1_000;
const ensureDaysMs = 3_600_000;

/**
 * The one writer of the ledger. What is decided in memory is written as soon as the write before it has ended, so that a
 * lone payment waits for nothing and a thousand share a commit. Should a write fail, nobody knows what of it stands: the
 * picture in memory is thrown away and read anew, and whoever waits is told that the outcome is unknown.
 */
@Injectable()
export class LedgerWriter {
  private ledger: Ledger | undefined;
  private epoch = 0n;
  /** For what is decided and not being written yet, and for what is being written. */
  private next: Commit | undefined;
  private writing: Commit | undefined;
  private timers: NodeJS.Timeout[] = [];
  private isStopped = false;
  private isHalted = false;
  private isSuperseded = false;
  private onSuperseded: () => void = () => undefined;
  private onCommitted: () => void = () => undefined;
  private isWatching = false;
  /** Accounts that are being read, into the picture of now alone. */
  private loading = new Map<AccountKey, Promise<void>>();
  /** Accounts that will be read at the end of this turn. */
  private gathering: Gathering | undefined;
  private recovery: Promise<void> | undefined;
  private readonly commits;

  constructor(
    private readonly repository: LedgerRepository,
    private readonly lease: LedgerLease,
    private readonly key: EnclaveKey,
    private readonly scope: Scope,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.commits = metrics.counter(
      'tollbridge_ledger_commits_total',
      'Commits of the ledger of nano-payments',
    );
  }

  /** Reads what is live, under the lease. Throws when the ledger is another deployment's. */
  async start(): Promise<void> {
    this.epoch = this.lease.epoch;
    await this.load();
    this.lease.whenLost(() => this.end(new Superseded()));
    const every = (ms: number, work: () => void): void =>
      void this.timers.push(setInterval(work, ms).unref());
    every(sweepMs, () => this.sweep());
    every(sweepMs, () => void this.watch());
    every(ensureDaysMs, () => {
      this.repository
        .ensureDays(this.clock.now())
        .catch((error: unknown) =>
          this.logger.warn({ err: error }, 'no days could be prepared; trying again'),
        );
    });
  }

  /** Writes what was decided, and takes nothing more. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.committed().catch(() => undefined);
  }

  /** Another writes from now on; this process is about to end. */
  whenSuperseded(work: () => void): void {
    this.onSuperseded = work;
  }

  /** Whether this process may decide and answer as the ledger; false while the lease could not be renewed in time. */
  get isHolder(): boolean {
    return this.lease.isHeld;
  }

  /** Calls back after each commit, and after the ledger was loaded. */
  whenCommitted(work: () => void): void {
    this.onCommitted = work;
  }

  get isReady(): boolean {
    return this.ledger !== undefined && !this.isStopped && this.isHolder;
  }

  /** Decides nothing more: whoever asks is told that nobody knows. */
  halt(): void {
    this.isHalted = true;
  }

  /** Goes on with what the record says now: somebody has put it right, and the picture in memory is of before. */
  async resume(): Promise<void> {
    if (!this.isHalted) return;
    // What is still being written would be fenced off by the reading, as if by a successor.
    await this.writing?.promise.catch(() => undefined);
    this.isHalted = false;
    if (this.ledger) this.readAnew('the ledger was halted');
  }

  get position(): { seq: bigint; head: Buffer } {
    return this.ready().position;
  }

  /** The picture, for a decision within one turn of the loop. */
  ready(): Ledger {
    if (!this.ledger || this.isStopped) throw new LedgerUnavailable('the ledger is being read');
    if (!this.isHolder) throw new LedgerUnavailable('the lease of the ledger has lapsed');
    return this.ledger;
  }

  /**
   * The picture with these accounts in it, read from the record where they were not.
   * It is good for decisions within this turn of the loop.
   */
  async with(keys: readonly AccountKey[]): Promise<Ledger> {
    return this.withNow(keys) ?? this.withRead(keys);
  }

  /** The same at once; undefined if some of them must be read. */
  private withNow(keys: readonly AccountKey[]): Ledger | undefined {
    const ledger = this.ready();
    if (this.isHalted) throw new LedgerUnavailable('the ledger is halted');
    const nowMs = this.clock.now();
    for (const key of keys) {
      const account = ledger.accounts.get(key);
      if (!account) return undefined;
      account.usedMs = nowMs;
    }
    return ledger;
  }

  /**
   * The same with the session of a grant.
   * @param fresh what it is if the record knows nothing of it
   */
  async withSession(keys: readonly AccountKey[], key: SessionKey, fresh?: Session): Promise<Ledger> {
    const nowMs = this.clock.now();
    const before = this.ready();
    if (!before.sessions.has(key)) {
      const session = (await this.repository.sessions([key], nowMs))[0] ?? fresh;
      if (this.ready() !== before) throw new LedgerUnavailable('the ledger was read anew');
      if (session) before.bringSession(session);
    }
    const session = before.sessions.get(key);
    if (session) session.usedMs = nowMs;
    const ledger = await this.with(keys);
    if (ledger !== before) throw new LedgerUnavailable('the ledger was read anew');
    return ledger;
  }

  private async withRead(keys: readonly AccountKey[]): Promise<Ledger> {
    const ledger = this.ready();
    const missing = keys.filter((key) => !ledger.accounts.has(key));
    const nowMs = this.clock.now();
    const fresh = missing.filter((key) => !this.loading.has(key));
    if (fresh.length > 0) this.read(ledger, fresh, nowMs);
    await Promise.all(missing.flatMap((key) => this.loading.get(key) ?? []));
    if (this.ready() !== ledger) throw new LedgerUnavailable('the ledger was read anew');
    for (const key of keys) ledger.account(key).usedMs = nowMs;
    return ledger;
  }

  /** What is asked for within one turn is read at once: whoever makes payers up must not cost a query for each. */
  private read(ledger: Ledger, keys: readonly AccountKey[], nowMs: number): void {
    const { loading } = this;
    if (this.gathering?.ledger !== ledger) this.gathering = this.gather(ledger, nowMs);
    const { keys: gathered, read } = this.gathering;
    for (const key of keys) {
      gathered.push(key);
      loading.set(key, read);
    }
  }

  private gather(ledger: Ledger, nowMs: number): Gathering {
    const { loading } = this;
    const keys: AccountKey[] = [];
    const read = nextTurn()
      .then(() => {
        if (this.gathering?.keys === keys) this.gathering = undefined;
        return this.repository.accounts(keys);
      })
      .then((stored) => {
        const found = new Map(stored.map((account) => [account.key, account]));
        for (const key of keys) ledger.bring(key, found.get(key), nowMs);
      })
      .finally(() => keys.forEach((key) => loading.delete(key)));
    return { ledger, keys, read };
  }

  /**
   * Resolves when all that was decided so far is on disk, and receipts are signed. Call it in the turn of the decision.
   * @throws LedgerUnavailable if nobody knows whether it is
   */
  committed(): Promise<void> {
    // What was decided is lost with the picture that it was decided in.
    if (!this.ledger) return Promise.reject(new LedgerUnavailable('the ledger is being read'));
    if (this.ledger.hasChanges) {
      this.next ??= newCommit();
      if (!this.writing) setImmediate(() => void this.write());
      return this.next.promise;
    }
    return this.writing?.promise ?? Promise.resolve();
  }

  private async write(): Promise<void> {
    if (this.writing || !this.ledger) return;
    const batch = this.ledger.takeBatch();
    const commit = (this.writing = this.next ?? newCommit());
    this.next = undefined;
    // Nobody may wait for it.
    commit.promise.catch(() => undefined);
    try {
      if (batch) await this.writeBatch(this.ledger, batch);
      this.writing = undefined;
      commit.resolve();
      this.onCommitted();
    } catch (error) {
      this.writing = undefined;
      commit.reject(new LedgerUnavailable('the commit failed', { cause: error }));
      this.recover(error);
    }
    if (this.next) void this.write();
  }

  private async writeBatch(ledger: Ledger, batch: Batch): Promise<void> {
    await Promise.all([this.repository.commit(batch, this.epoch), this.signReceipts(batch)]);
    this.commits.inc();
    for (const payment of batch.payments) ledger.written(payment);
  }

  /** While the database writes: this thread would only wait. */
  private async signReceipts(batch: Batch): Promise<void> {
    await nextTurn();
    for (const receipt of receiptsOf(batch)) receipt.signature = this.key.sign(receipt.digest);
  }

  private recover(cause: unknown): void {
    if (cause instanceof Superseded) return this.end(cause);
    this.logger.error({ err: cause }, 'a commit failed; the ledger is read anew');
    this.readAnew('the commit before it failed');
  }

  private readAnew(why: string): void {
    this.forget(why);
    this.recovery ??= this.reload().finally(() => (this.recovery = undefined));
  }

  /** The picture is wrong, or might be. */
  private forget(why: string): void {
    this.ledger = undefined;
    this.next?.reject(new LedgerUnavailable(why));
    this.next?.promise.catch(() => undefined);
    this.next = undefined;
  }

  /** Two writers must never be: this one ends, and its successor is at work already. */
  private end(cause: Superseded): void {
    this.forget('superseded');
    if (this.isSuperseded) return;
    this.isSuperseded = true;
    this.logger.error({ err: cause }, 'ledger taken over by another process, exiting');
    this.onSuperseded();
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  }

  /** Who has nothing to write would not learn of its successor, and go on refusing by a picture of the past. */
  private async watch(): Promise<void> {
    const { ledger, epoch } = this;
    if (!ledger || this.isWatching) return;
    this.isWatching = true;
    const isWriter = await this.repository.isWriter(epoch).catch(() => true);
    this.isWatching = false;
    if (!isWriter && this.ledger === ledger) this.end(new Superseded());
  }

  private async reload(): Promise<void> {
    while (!this.isStopped) {
      try {
        return await this.load();
      } catch (error) {
        // Taking it back would only make the two end each other in turns.
        if (error instanceof Superseded) return this.end(error);
        this.logger.warn({ err: error }, 'the ledger cannot be read yet; trying again');
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  private async load(): Promise<void> {
    const nowMs = this.clock.now();
    const { epoch, seq, head } = await this.repository.takeOver(this.scope, nowMs, this.epoch);
    this.epoch = epoch;
    const [rates, approvals] = [new PaymentRates(), new Approvals()];
    const ledger = new Ledger(seq, head, rates, approvals);
    for await (const payments of this.repository.livePayments(nowMs)) {
      for (const payment of payments) ledger.restore(payment);
      if (ledger.nonces.isOverfull)
        throw new Error('more live payments than fit into memory: raise --max-old-space-size of Node.js');
    }
    for (const approval of await this.repository.openApprovals(nowMs)) approvals.restore(approval);
    await this.bringHeld(ledger, nowMs);
    this.loading = new Map();
    this.ledger = ledger;
    this.onCommitted();
    this.logger.info(
      { epoch: Number(epoch), seq: Number(seq), live: ledger.nonces.size },
      'the ledger is read',
    );
  }

  /** Holds run out without being asked for: their accounts and sessions must be here. */
  private async bringHeld(ledger: Ledger, nowMs: number): Promise<void> {
    const keys = ledger.heldAccounts();
    const found = new Map((await this.repository.accounts(keys)).map((account) => [account.key, account]));
    for (const key of keys) ledger.bring(key, found.get(key), nowMs);
    const sessions = await this.repository.sessions(ledger.heldSessions(), nowMs);
    for (const session of sessions) ledger.bringSession(session);
  }

  private sweep(): void {
    const { ledger } = this;
    if (!ledger || this.isHalted || !this.isHolder) return;
    const nowMs = this.clock.now();
    ledger.sweep(nowMs);
    // What is being written must stay until it is.
    const isTooMuch = ledger.accounts.size > maxAccounts || ledger.sessions.size > maxSessions;
    if (isTooMuch && !this.writing) ledger.evict(nowMs - idleMs);
    this.committed().catch(() => undefined);
  }
}

function receiptsOf({ payments, refunds }: Batch) {
  const charged = [...payments].filter(({ state, receipt }) => state === 'captured' && receipt);
  return [...charged.map(({ receipt }: Payment) => receipt!), ...refunds.map(({ receipt }) => receipt)];
}

function newCommit(): Commit {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((done, failed) => ([resolve, reject] = [done, failed]));
  return { promise, resolve, reject };
}
