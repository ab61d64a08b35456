import { Inject, Injectable } from '@nestjs/common';
import type { NanoStats } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { LedgerSumsRepository } from '../ledger/storage/ledger-sums.repository';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { PaymentFigures } from '../payments/payment-figures';

// Shared between clients, because anonymous clients may request the statistics.
const lifetimeMs = 1_000;

/** Statistics of the ledger and its payments. */
@Injectable()
export class LedgerStats {
  private readonly startedMs: number;
  private last: { madeMs: number; reply: Promise<NanoStats> } | undefined;

  constructor(
    private readonly sums: LedgerSumsRepository,
    private readonly writer: LedgerWriter,
    private readonly figures: PaymentFigures,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.startedMs = clock.now();
  }

  /** Returns statistics that are at most one second old. */
  read(): Promise<NanoStats> {
    const nowMs = this.clock.now();
    if (this.last && Math.abs(nowMs - this.last.madeMs) < lifetimeMs) return this.last.reply;
    const stats = { madeMs: nowMs, reply: this.readAt(nowMs) };
    this.last = stats;
    // A failure is not cached.
    stats.reply.catch(() => {
      if (this.last === stats) this.last = undefined;
    });
    return stats.reply;
  }

  private async readAt(nowMs: number): Promise<NanoStats> {
    const totals = await this.sums.totals(nowMs);
    const { seq, head } = this.writer.isReady ? this.writer.position : { seq: 0n, head: Buffer.alloc(32) };
    const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
    return {
      payments: totals.payments,
      volume: totals.volume,
      accounts: Number(totals.accounts),
      pendingSettlement: totals.pending_settlement,
      pendingApprovals: Number(totals.pending_approvals),
      rejected: this.figures.rejected,
      p50Ms: rounded(this.figures.percentileMs(0.5)),
      p99Ms: rounded(this.figures.percentileMs(0.99)),
      ledger: { seq: seq.toString(), head: head.toString('hex') },
      uptimeSeconds: Math.floor((nowMs - this.startedMs) / 1000),
    };
  }
}
