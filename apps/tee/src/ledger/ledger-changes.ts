import { nextHead, receiptDigest } from '@tollbridge/nanopay-protocol';
import type { Account } from './rules/account';
import type { ApprovalTerms } from './rules/approvals';
import type { LedgerBatch } from './storage/ledger-batch';
import type { Payment, Refund } from './rules/payment';
import type { Session } from './rules/sessions';

/** The changes for the next batch, and the position in the chain of receipts. */
export class LedgerChanges {
  /** The changes of the next batch so far. */
  pending: LedgerBatch;

  constructor(
    private seq: bigint,
    private head: Buffer,
  ) {
    this.pending = this.emptyBatch();
  }

  get position(): { seq: bigint; head: Buffer } {
    return { seq: this.seq, head: this.head };
  }

  get isEmpty(): boolean {
    const { payments, refunds, accounts, approvals, sessions, channels, records } = this.pending;
    const sets = payments.size + accounts.size + approvals.size + sessions.size + channels.size;
    return sets + refunds.length + records.length === 0;
  }

  /** Returns the changes since the last batch; undefined without changes. */
  take(): LedgerBatch | undefined {
    if (this.isEmpty) return undefined;
    const { pending } = this;
    this.pending = this.emptyBatch();
    return { ...pending, seq: this.seq, head: this.head };
  }

  /** Creates the next receipt of the chain, unsigned. */
  receipt(
    type: 'charge' | 'refund',
    { digest, chargedAtomic: amountAtomic }: Payment,
    nowMs: number,
  ): Omit<Refund, 'payment'> {
    const [seq, unixMs, previousHead] = [++this.seq, BigInt(nowMs), this.head];
    const toSign = receiptDigest({ type, digest, amountAtomic, seq, unixMs, previousHead });
    this.head = nextHead(previousHead, toSign);
    return { seq, unixMs, previousHead, receipt: { digest: toSign, signature: undefined } };
  }

  private emptyBatch(): LedgerBatch {
    const { seq, head } = this;
    const sets = {
      payments: new Set<Payment>(),
      accounts: new Set<Account>(),
      approvals: new Set<ApprovalTerms>(),
      sessions: new Set<Session>(),
      channels: new Set<Payment>(),
    };
    return { ...sets, refunds: [], records: [], seq, head };
  }
}
