import { Inject, Injectable } from '@nestjs/common';
import type { PayoutOpening } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { jettonBatchNano, jettonPaymentsFor } from '@tollbridge/ton';
import type { Ledger } from '../ledger/ledger';
import type { PayoutTerms, WithdrawalTerms } from '../ledger/storage/ledger-batch';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { KnownBatches } from './known-batches';
import { MoneyRepository } from './money.repository';
import { PayoutMessages } from './payout-messages';

// Delay after a failed payout, because each attempt costs fees and the next may fail too.
const [firstPauseMs, mostPauseMs] = [5_000, 600_000];

export interface Opening {
  /** Undefined when no payment is due or possible now. */
  payout: PayoutTerms | undefined;
  /** Coins needed for a payout that was open before. Otherwise those for all due payments. */
  neededNano: bigint;
  /** The wallet on the chain holds less than the ledger owes. */
  isShort: boolean;
}

/**
 * Payouts to the chain: withdrawals, and one netted payment per seller. One message is in progress at a time. It is
 * stored before it is returned, and is returned again until its outcome is known.
 */
@Injectable()
export class Payouts {
  private turn: Promise<unknown> = Promise.resolve();
  private timesShort = 0;
  private readonly missing;

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: MoneyRepository,
    private readonly batches: KnownBatches,
    private readonly messages: PayoutMessages,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.missing = metrics.gauge(
      'tollbridge_payout_missing_reserve',
      'Reserve that is missing on the chain, smallest unit; anything but 0 stops all payouts',
    );
  }

  /** Returns the payout in progress, or opens the next one. */
  open(opening: PayoutOpening): Promise<Opening> {
    return this.inTurn(async () => {
      const { open, next } = await this.repository.payouts();
      if (!open) return this.begin(next, opening);
      const paid = await this.repository.withdrawalsOf(open.number);
      return { payout: open, neededNano: jettonBatchNano(paid.length), isShort: false };
    });
  }

  /** Idempotent. @returns the number of withdrawals that are paid, or pending again */
  close(number: bigint, outcome: 'completed' | 'failed'): Promise<number> {
    return this.inTurn(async () => {
      const payout = await this.repository.payout(number);
      if (!payout) throw new DomainError('NOT_FOUND', 'The payout does not exist. Check its id.');
      const paid = await this.repository.withdrawalsOf(number);
      if (payout.status !== 'sent') return paid.length;
      const ledger = await this.writer.with(paid.map(({ account }) => account));
      const nowMs = this.clock.now();
      if (outcome === 'completed') for (const withdrawal of paid) complete(ledger, withdrawal, nowMs);
      ledger.record({ kind: 'payout-end', number, outcome, atMs: nowMs });
      await this.writer.committed();
      const about = { payout: Number(number), count: paid.length };
      if (outcome === 'completed') this.logger.info(about, 'payout completed');
      else this.logger.warn(about, 'payout failed on the chain, retrying after a pause');
      return paid.length;
    });
  }

  /** Opens a payout with as many payments as the coins of the wallet allow. */
  private async begin(next: bigint, opening: PayoutOpening): Promise<Opening> {
    // Both are checked each time, because each sets a metric.
    const isPermitted = await this.batches.permit(opening.newestBatch, next);
    const hasReserve = await this.hasReserve(BigInt(opening.reserve));
    if (!isPermitted || !hasReserve) return { payout: undefined, neededNano: 0n, isShort: !hasReserve };
    const number = this.batches.numberFrom(next);
    const due = await this.messages.due();
    const neededNano = due.length === 0 ? 0n : jettonBatchNano(due.length);
    const payable = due.slice(0, jettonPaymentsFor(BigInt(opening.coins)));
    const mustWait = payable.length === 0 || (await this.isPausing());
    const payout = mustWait ? undefined : await this.messages.make(number, payable, opening);
    return { payout, neededNano, isShort: false };
  }

  /** Exponential back-off, computed from the stored failures, so it survives a restart. */
  private async isPausing(): Promise<boolean> {
    const { count, lastMs } = await this.repository.failedPayouts();
    if (count === 0) return false;
    return this.clock.now() < lastMs + Math.min(firstPauseMs * 2 ** (count - 1), mostPauseMs);
  }

  /**
   * Whether the reserve covers all balances. If not, the first payout would use money of the last, so an operator must
   * decide.
   */
  private async hasReserve(reserveAtomic: bigint): Promise<boolean> {
    const owed = await this.repository.liabilities();
    const isShort = reserveAtomic < owed;
    this.timesShort = isShort ? this.timesShort + 1 : 0;
    // A deposit may have been credited since the reserve was read, so only a second shortage counts.
    this.missing.set(this.timesShort > 1 ? Number(owed - reserveAtomic) : 0);
    if (this.timesShort === 2)
      this.logger.error(
        { reserve: reserveAtomic.toString(), owed: owed.toString() },
        'payouts stopped: reserve on the chain is below the liabilities',
      );
    return !isShort;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work, work);
    this.turn = done.catch(() => undefined);
    return done;
  }
}

function complete(
  ledger: Ledger,
  { source, account: key, amountAtomic }: WithdrawalTerms,
  nowMs: number,
): void {
  const account = ledger.account(key);
  if (source === 'earnings') {
    account.settling -= amountAtomic;
    account.settled += amountAtomic;
  } else {
    account.reserved -= amountAtomic;
    account.withdrawn += amountAtomic;
  }
  ledger.touchAccount(account, nowMs);
}
