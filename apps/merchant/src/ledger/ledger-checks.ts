import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { LedgerProofRepository, type Choose, type LedgerInspection } from './ledger-proof.repository';
import { LedgerRepository } from './ledger.repository';

/** Verifies ledgers, and halts ledgers with faults. */
@Injectable()
export class LedgerChecks {
  private readonly failed: { inc(): void };

  constructor(
    private readonly proofs: LedgerProofRepository,
    private readonly ledger: LedgerRepository,
    metrics: Metrics,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.failed = metrics.counter(
      'tollbridge_ledgers_halted_total',
      'Ledgers halted by a failed verification',
    );
  }

  /**
   * Verifies the chosen segments, and halts the ledger after a fault. @returns undefined for a wallet without a ledger
   */
  async check(wallet: string, choose: Choose): Promise<LedgerInspection | undefined> {
    const inspection = await this.proofs.inspect(wallet, choose);
    if (!inspection) return undefined;
    const nowMs = this.clock.now();
    const [broken] = inspection.checks.filter(({ problems }) => problems.length > 0);
    const { haltedAt, haltedSegment } = inspection.head;
    // A halted ledger is logged again only when the fault is in another segment.
    if (broken && haltedAt !== null && broken.segment !== haltedSegment)
      this.logger.error({ wallet, ...broken }, 'ledger verification failed in another segment');
    if (broken && haltedAt === null && (await this.ledger.halt(wallet, broken.segment, nowMs))) {
      inspection.head.haltedAt = new Date(nowMs);
      this.failed.inc();
      const { segment, problems } = broken;
      this.logger.error({ wallet, segment, problems }, 'ledger verification failed, ledger halted');
    }
    const checked = inspection.checks.map(({ segment }) => segment);
    await this.proofs.recordChecked(wallet, checked, nowMs);
    return inspection;
  }
}
