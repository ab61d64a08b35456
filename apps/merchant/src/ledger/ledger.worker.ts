import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, Leases, type Lease } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, standingBy, type PollResult } from '@tollbridge/bootstrap';
import { LedgerChecks } from './ledger-checks';
import { LedgerProofRepository, type LedgerInspection } from './ledger-proof.repository';
import { LedgerRepository, segmentOf } from './ledger.repository';

const pollEveryMs = 10_000;
const maxAtOnce = 20;

/** Verifies every segment of every ledger once a day, and resumes halted ledgers that pass. Only the leader runs. */
@Injectable()
export class LedgerWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly lease: Lease;
  private readonly loop: PollingLoop;

  constructor(
    leases: Leases,
    private readonly checks: LedgerChecks,
    private readonly proofs: LedgerProofRepository,
    private readonly ledger: LedgerRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.lease = leases.candidate('ledger checks');
    this.lease.onAcquired(() => this.loop.wake());
    const onError = (error: unknown): void =>
      logger.warn({ err: error }, 'ledger verification run failed, retrying');
    this.loop = new PollingLoop(() => this.step(), pollEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  async step(): Promise<PollResult> {
    if (!this.lease.isHeld) return standingBy;
    for (const wallet of await this.proofs.halted(maxAtOnce))
      await this.tryToResume(wallet).catch((error: unknown) =>
        // A failure in one ledger must not block the others.
        this.logger.warn({ wallet, err: error }, 'halted ledger check failed, retrying'),
      );
    const due = await this.proofs.due(this.clock.now(), maxAtOnce);
    for (const { wallet, segment } of due) await this.checks.check(wallet, () => [segment]);
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  /** Resumes a halted ledger after an operator has repaired it. The hash chain proves the repair. */
  private async tryToResume(wallet: string): Promise<void> {
    const inspection = await this.checks.check(wallet, (head) => [
      ...new Set([segmentOf(head.lastSeq), head.haltedSegment ?? 0]),
    ]);
    if (!inspection || !isValid(inspection)) return;
    // The cause of one changed row may have changed other rows, so every segment must pass.
    for (let segment = 0; segment < segmentOf(inspection.head.lastSeq); segment++) {
      const part = await this.checks.check(wallet, () => [segment]);
      if (!part || !isValid(part)) return;
    }
    while (!(await this.ledger.resume(wallet)));
    this.logger.info({ wallet }, 'ledger verified, resuming');
  }
}

const isValid = ({ checks }: LedgerInspection): boolean =>
  checks.every(({ problems }) => problems.length === 0);
