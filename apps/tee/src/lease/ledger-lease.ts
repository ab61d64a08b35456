import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger, type ServingLease } from '@tollbridge/bootstrap';
import type { TeeConfig } from '../config';
import { Scope } from '../signing/scope';
import { LeaseRepository, type LeaseTerms } from './lease.repository';
import { LedgerScopeRepository } from './ledger-scope.repository';

/**
 * The right to write the ledger, which one process holds at a time (decision 38). A holder that cannot renew its lease
 * in time stops before the database lets another process take over.
 */
@Injectable()
export class LedgerLease implements ServingLease {
  private readonly terms: LeaseTerms;
  private readonly renewEveryMs: number;
  /** In time of the monotonic clock, which also advances while the process is stopped. */
  private heldUntilMs = -Infinity;
  private acquiredEpoch = 0n;
  private isHolder = false;
  private isLost = false;
  private isReleased = false;
  private timer: NodeJS.Timeout | undefined;
  private renewal: Promise<void> = Promise.resolve();
  private onLost: (() => void) | undefined;

  constructor(
    private readonly repository: LeaseRepository,
    private readonly scopes: LedgerScopeRepository,
    private readonly scope: Scope,
    @Inject(ServiceConfig) { TEE_LEASE_MS: leaseMs }: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.terms = { holder: randomUUID(), leaseMs, timeoutMs: Math.ceil(leaseMs / 2) };
    this.renewEveryMs = leaseMs / 3;
  }

  /**
   * Whether this process may decide now. Callers must check it before each decision, because a lease expires without an
   * event.
   */
  get isHeld(): boolean {
    return performance.now() < this.heldUntilMs;
  }

  /** The epoch of the ledger under this lease. */
  get epoch(): bigint {
    return this.acquiredEpoch;
  }

  /** Registers a callback for when another process has taken the lease. A lease that is already lost calls it too. */
  whenLost(work: () => void): void {
    this.onLost = work;
    if (this.isLost) work();
  }

  /** Tries to acquire the lease. @throws ForeignLedger before it would fence off the writer of another deployment */
  async tryAcquire(): Promise<boolean> {
    if (this.isReleased) return false;
    await this.scopes.check(this.scope);
    const askedMs = performance.now();
    const epoch = await this.repository.acquire(this.terms);
    if (epoch === undefined) return false;
    this.acquiredEpoch = epoch;
    this.isHolder = true;
    this.extend(askedMs);
    this.renewLater(askedMs);
    this.logger.info({ epoch: Number(epoch) }, 'ledger lease acquired');
    return true;
  }

  async release(): Promise<void> {
    this.isReleased = true;
    clearTimeout(this.timer);
    // Waits for a renewal in progress on another connection, which could otherwise follow the release.
    await this.renewal;
    clearTimeout(this.timer);
    this.heldUntilMs = -Infinity;
    if (!this.isHolder || this.isLost) return;
    await this.repository
      .release(this.terms)
      .then(() => this.logger.info('ledger lease released'))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'ledger lease release failed'));
  }

  /** Counts from before the request, less a tenth, because the lease must end here before it ends in the database. */
  private extend(askedMs: number): void {
    this.heldUntilMs = askedMs + this.terms.leaseMs * 0.9;
  }

  private renewLater(lastMs: number): void {
    const pauseMs = Math.max(0, lastMs + this.renewEveryMs - performance.now());
    this.timer = setTimeout(() => void (this.renewal = this.renew()), pauseMs).unref();
  }

  private async renew(): Promise<void> {
    const askedMs = performance.now();
    try {
      const isOurs = await this.repository.renew(this.terms);
      if (!isOurs) return this.lose();
      if (!this.isHeld) this.logger.warn('ledger lease renewed after it had lapsed');
      this.extend(askedMs);
    } catch (error) {
      const { isHeld } = this;
      this.logger.warn({ err: error, isHeld }, 'ledger lease renewal failed');
    }
    if (!this.isReleased) this.renewLater(askedMs);
  }

  private lose(): void {
    this.heldUntilMs = -Infinity;
    this.isLost = true;
    this.onLost?.();
  }
}
