import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, Database, LeaderLock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger } from '@tollbridge/bootstrap';
import { LedgerChecks } from './ledger-checks';
import { LedgerProofRepository, type LedgerSight } from './ledger-proof.repository';
import { LedgerRepository, segmentOf } from './ledger.repository';

const lookEveryMs = 10_000;
const maxAtOnce = 20;

/** Looks at every part of every ledger once a day, and lets go on what holds again. One replica does it. */
@Injectable()
export class LedgerWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly lock: LeaderLock;
  private readonly loop: PollingLoop;

  constructor(
    database: Database,
    private readonly checks: LedgerChecks,
    private readonly proofs: LedgerProofRepository,
    private readonly ledger: LedgerRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.lock = new LeaderLock(database.pool, 'merchant ledger checks');
    const onError = (error: unknown): void => {
      this.lock.release();
      logger.warn({ err: error }, 'ledgers could not be checked; trying again');
    };
    this.loop = new PollingLoop(() => this.step(), lookEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    this.lock.release();
  }

  async step(): Promise<'more' | 'done'> {
    if (!(await this.lock.take())) return 'done';
    for (const wallet of await this.proofs.halted(maxAtOnce))
      await this.tryToResume(wallet).catch((error: unknown) =>
        // One ledger must not keep the others from being looked at.
        this.logger.warn({ wallet, err: error }, 'a halted ledger could not be looked at; trying again'),
      );
    const due = await this.proofs.due(this.clock.now(), maxAtOnce);
    for (const { wallet, segment } of due) await this.checks.check(wallet, () => [segment]);
    return due.length === maxAtOnce ? 'more' : 'done';
  }

  /** Somebody may have put right what was wrong; the hash of each transaction says whether it is what it was. */
  private async tryToResume(wallet: string): Promise<void> {
    const sight = await this.checks.check(wallet, (head) => [
      ...new Set([segmentOf(head.lastSeq), head.haltedSegment ?? 0]),
    ]);
    if (!sight || !holds(sight)) return;
    // Whatever has changed one row may have changed others: nothing goes on over a fault that a look would have found.
    for (let segment = 0; segment < segmentOf(sight.head.lastSeq); segment++) {
      const part = await this.checks.check(wallet, () => [segment]);
      if (!part || !holds(part)) return;
    }
    while (!(await this.ledger.resume(wallet)));
    this.logger.info({ wallet }, 'a halted ledger holds again and goes on');
  }
}

const holds = ({ checks }: LedgerSight): boolean => checks.every(({ problems }) => problems.length === 0);
