import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { LedgerProofRepository, type Choose, type LedgerSight } from './ledger-proof.repository';
import { LedgerRepository } from './ledger.repository';

/** Checks ledgers, and halts those that do not hold. */
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
    this.failed = metrics.counter('tollbridge_ledgers_halted_total', 'Ledgers that a check has halted');
  }

  /** Undefined for a wallet that was never paid anything. */
  async check(wallet: string, choose: Choose): Promise<LedgerSight | undefined> {
    const sight = await this.proofs.look(wallet, choose);
    if (!sight) return undefined;
    const nowMs = this.clock.now();
    const [broken] = sight.checks.filter(({ problems }) => problems.length > 0);
    const { haltedAt, haltedSegment } = sight.head;
    // Halted already, it is told of another part that does not hold.
    if (broken && haltedAt !== null && broken.segment !== haltedSegment)
      this.logger.error({ wallet, ...broken }, 'another part of a halted ledger does not hold');
    if (broken && sight.head.haltedAt === null && (await this.ledger.halt(wallet, broken.segment, nowMs))) {
      sight.head.haltedAt = new Date(nowMs);
      this.failed.inc();
      const { segment, problems } = broken;
      this.logger.error({ wallet, segment, problems }, 'a ledger does not hold and is halted');
    }
    const checked = sight.checks.map(({ segment }) => segment);
    await this.proofs.noteChecked(wallet, checked, nowMs);
    return sight;
  }
}
