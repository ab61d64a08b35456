import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { ReceiptKey } from '../../signing/receipt-key';
import { Scope } from '../../signing/scope';
import { LedgerLease } from '../../lease/ledger-lease';
import type { AccountKey } from '../rules/account';
import { AccountLoader } from './account-loader';
import { newCommit, type Commit } from './commit';
import type { Ledger } from '../ledger';
import type { Payment } from '../rules/payment';
import type { LedgerBatch } from './ledger-batch';
import { LedgerRepository, Superseded } from './ledger.repository';
import { loadLedger } from './load-ledger';
import type { Session, SessionKey } from '../rules/sessions';

/** The outcome is unknown, or nothing was decided. A retry of the same call returns the outcome. */
export class LedgerUnavailable extends Error {}

const maxAccounts = 200_000;
const maxSessions = 200_000;
// Longer than any payment is in progress.
const idleMs = 60_000;
const retryMs = 200;
const sweepMs = 1_000;
const ensureDaysMs = 3_600_000;

/**
 * The single writer of the ledger, with group commit: pending changes are written when the previous commit ends. After
 * a failed commit, the state in memory is dropped and reloaded, and waiting callers get an unknown outcome.
 */
@Injectable()
export class LedgerWriter {
  private ledger: Ledger | undefined;
  private epoch = 0n;
  /** The commit that collects changes, and the commit in progress. */
  private next: Commit | undefined;
  private writing: Commit | undefined;
  private timers: NodeJS.Timeout[] = [];
  private isStopped = false;
  private isHalted = false;
  private isSuperseded = false;
  private onSuperseded: () => void = () => undefined;
  private onCommitted: () => void = () => undefined;
  private isWatching = false;
  /** Loads the accounts of the current ledger. */
  private accounts: AccountLoader | undefined;
  private recovery: Promise<void> | undefined;
  private readonly commits;

  constructor(
    private readonly repository: LedgerRepository,
    private readonly lease: LedgerLease,
    private readonly key: ReceiptKey,
    private readonly scope: Scope,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.commits = metrics.counter(
      'tollbridge_ledger_commits_total',
      'Commits of the ledger of nano-payments',
    );
    metrics.gauge(
      'tollbridge_ledger_commit_age_seconds',
      'How long the oldest decision of the ledger has waited for its commit; 0 when none waits',
      [],
      (gauge) => gauge.set(this.commitAgeMs / 1000),
    );
    metrics.gauge(
      'tollbridge_ledger_ready',
      '1 in the process that decides payments; 0 in a standby, and while the ledger is reloaded or halted',
      [],
      (gauge) => gauge.set(this.isReady && !this.isHalted ? 1 : 0),
    );
  }

  /**
   * Loads the ledger under the lease.
   * @throws ForeignLedger when the ledger belongs to another deployment
   */
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
          this.logger.warn({ err: error }, 'payment partitions not created, retrying'),
        );
    });
  }

  /** Commits the pending changes, and then accepts no more changes. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.committed().catch(() => undefined);
  }

  /** Registers a callback for when another process has taken over. This process then ends. */
  whenSuperseded(work: () => void): void {
    this.onSuperseded = work;
  }

  /** Whether this process may decide and reply for the ledger; false while the lease is not renewed in time. */
  get isHolder(): boolean {
    return this.lease.isHeld;
  }

  /** Registers a callback after each commit, and after the ledger was loaded. */
  whenCommitted(work: () => void): void {
    this.onCommitted = work;
  }

  private get commitAgeMs(): number {
    const oldest = this.writing ?? this.next;
    return oldest ? performance.now() - oldest.startedMs : 0;
  }

  get isReady(): boolean {
    return this.ledger !== undefined && !this.isStopped && this.isHolder;
  }

  /** Stops all decisions: callers get an unknown outcome. */
  halt(): void {
    this.isHalted = true;
  }

  /** Reloads the ledger after a halt, because an operator may have corrected the rows. */
  async resume(): Promise<void> {
    if (!this.isHalted) return;
    // The reload increments the epoch, which would fence off a commit in progress.
    await this.writing?.promise.catch(() => undefined);
    this.isHalted = false;
    if (this.ledger) this.dropAndReload('the ledger was halted');
  }

  get position(): { seq: bigint; head: Buffer } {
    return this.ready().position;
  }

  /** The ledger, for a decision within one turn of the event loop. */
  ready(): Ledger {
    if (!this.ledger || this.isStopped) throw new LedgerUnavailable('the ledger is being loaded');
    if (!this.isHolder) throw new LedgerUnavailable('the lease of the ledger has lapsed');
    return this.ledger;
  }

  /** Returns the ledger with these accounts loaded. The caller must decide in the same turn of the event loop. */
  async with(keys: readonly AccountKey[]): Promise<Ledger> {
    return this.withNow(keys) ?? this.withRead(keys);
  }

  /** Returns the ledger without waiting; undefined if an account is not loaded. */
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
   * Returns the ledger with these accounts and the session of a grant.
   * @param fresh the initial session if the session has no row
   */
  async withSession(keys: readonly AccountKey[], key: SessionKey, fresh?: Session): Promise<Ledger> {
    const nowMs = this.clock.now();
    const before = this.ready();
    if (!before.sessions.has(key)) {
      const session = (await this.repository.sessions([key], nowMs))[0] ?? fresh;
      if (this.ready() !== before) throw new LedgerUnavailable('the ledger was reloaded');
      if (session) before.bringSession(session);
    }
    const session = before.sessions.get(key);
    if (session) session.usedMs = nowMs;
    const ledger = await this.with(keys);
    if (ledger !== before) throw new LedgerUnavailable('the ledger was reloaded');
    return ledger;
  }

  private async withRead(keys: readonly AccountKey[]): Promise<Ledger> {
    const ledger = this.ready();
    const nowMs = this.clock.now();
    await this.accounts!.load(
      keys.filter((key) => !ledger.accounts.has(key)),
      nowMs,
    );
    if (this.ready() !== ledger) throw new LedgerUnavailable('the ledger was reloaded');
    for (const key of keys) ledger.account(key).usedMs = nowMs;
    return ledger;
  }

  /**
   * Resolves when all decisions so far are committed and their receipts signed. Must be called in the turn of the
   * decision.
   * @throws LedgerUnavailable if the outcome of the commit is unknown
   */
  committed(): Promise<void> {
    // The decision was lost with the ledger that was dropped.
    if (!this.ledger) return Promise.reject(new LedgerUnavailable('the ledger is being loaded'));
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
    // Without a waiting caller, the rejection of a failed commit would be unhandled.
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

  private async writeBatch(ledger: Ledger, batch: LedgerBatch): Promise<void> {
    await Promise.all([this.repository.commit(batch, this.epoch), this.signReceipts(batch)]);
    this.commits.inc();
    for (const payment of batch.payments) ledger.written(payment);
  }

  /** Signs receipts while the database writes. */
  private async signReceipts(batch: LedgerBatch): Promise<void> {
    await nextTurn();
    for (const receipt of receiptsOf(batch)) receipt.signature = this.key.sign(receipt.digest);
  }

  private recover(cause: unknown): void {
    if (cause instanceof Superseded) return this.end(cause);
    this.logger.error({ err: cause }, 'ledger commit failed, reloading state');
    this.dropAndReload('the commit before it failed');
  }

  private dropAndReload(why: string): void {
    this.drop(why);
    this.recovery ??= this.reload().finally(() => (this.recovery = undefined));
  }

  /** Drops the state in memory, which is wrong or may be wrong. */
  private drop(why: string): void {
    this.ledger = undefined;
    this.next?.reject(new LedgerUnavailable(why));
    this.next?.promise.catch(() => undefined);
    this.next = undefined;
  }

  /** Ends this process, because its successor is already active, and the ledger must never have two writers. */
  private end(cause: Superseded): void {
    this.drop('superseded');
    if (this.isSuperseded) return;
    this.isSuperseded = true;
    this.logger.error({ err: cause }, 'ledger taken over by another process, exiting');
    this.onSuperseded();
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  }

  /**
   * Watches the epoch. Without commits, this process would not detect its successor and would reject payments by stale
   * state.
   */
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
        // Ends, because two processes that take over from each other would never stop.
        if (error instanceof Superseded) return this.end(error);
        this.logger.warn({ err: error }, 'ledger load failed, retrying');
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  private async load(): Promise<void> {
    const nowMs = this.clock.now();
    const { epoch, seq, head } = await this.repository.takeOver(this.scope, nowMs, this.epoch);
    this.epoch = epoch;
    const ledger = await loadLedger(this.repository, { seq, head }, nowMs);
    this.accounts = new AccountLoader(ledger, (keys) => this.repository.accounts(keys));
    this.ledger = ledger;
    this.onCommitted();
    this.logger.info({ epoch: Number(epoch), seq: Number(seq), live: ledger.nonces.size }, 'ledger loaded');
  }

  private sweep(): void {
    const { ledger } = this;
    if (!ledger || this.isHalted || !this.isHolder) return;
    const nowMs = this.clock.now();
    ledger.sweep(nowMs);
    // Accounts of a batch that is being written must stay loaded.
    const isOverfull = ledger.accounts.size > maxAccounts || ledger.sessions.size > maxSessions;
    if (isOverfull && !this.writing) ledger.evict(nowMs - idleMs);
    this.committed().catch(() => undefined);
  }
}

function receiptsOf({ payments, refunds }: LedgerBatch) {
  const charged = [...payments].filter(({ state, receipt }) => state === 'captured' && receipt);
  return [...charged.map(({ receipt }: Payment) => receipt!), ...refunds.map(({ receipt }) => receipt)];
}
