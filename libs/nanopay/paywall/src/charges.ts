import {
  confirmationIdOf,
  digestOf,
  receiptOf,
  maxSkewS,
  settlementDigest,
  type ChargeItem,
  type Outcome,
  type RejectedOutcome,
  type SettledOutcome,
  type SettleItem,
} from '@tollbridge/nanopay-protocol';
import { LRUCache } from 'lru-cache';
import type { Batcher } from './batcher';
import { isTrustedReceipt, type EnclaveKeys } from './enclave-keys';

export interface ChargesOptions {
  /** Time limit for all attempts of one request together. */
  budgetMs: number;
  /** The time-out of the batcher. */
  messageTimeoutMs: number;
  /** The trusted receipt keys. Without them receipts are not verified. */
  enclaveKeys: EnclaveKeys | undefined;
  /** Called when a refund has failed and is not retried. */
  onRefundFailed: (confirmationId: string) => void;
}

export type AttemptResult =
  | { status: 'done'; outcome: SettledOutcome; callKey: Buffer; confirmationId: string }
  | RejectedOutcome
  | { status: 'unknown'; confirmationId: string };

export type RefundResult =
  | { status: 'refunded'; outcome: SettledOutcome }
  | { status: 'pending' }
  /** Nothing was charged. */
  | { status: 'none' }
  /** All retries have failed. */
  | { status: 'failed' };

/** A payment that may have been charged. */
interface Unresolved {
  callKey: Buffer;
  confirmationId: string;
  state: 'waits' | 'asked' | 'refunded';
  timer?: NodeJS.Timeout;
  refund?: Promise<RefundResult> | undefined;
}

/** Maximum number of payments with an unknown outcome. The least recently used are refunded first. */
const maxUnresolved = 10_000;
/** A buyer can retry until this long after the expiry and the last attempt. Then the payment is refunded. */
const lateMs = 30_000;
/** Maximum number of refunds that wait while the ledger service is unavailable. */
const maxRefundsUnderWay = 10_000;
const refundPausesMs = [0, 100, 300, 1_000, 3_000, 10_000, 30_000, 60_000];
/** A failed response waits this long for the refund, so that the response can report it. */
const refundPatienceMs = 2_000;

/** Charges and refunds payments. A retry reuses the call key of its first attempt, so that it never charges twice. */
export class Charges {
  private readonly unresolved = new LRUCache<string, Unresolved>({
    max: maxUnresolved,
    disposeAfter: (entry, _name, reason) => {
      if (reason === 'evict') this.refundEvicted(entry);
    },
  });
  private refundsUnderWay = 0;

  constructor(
    private readonly batcher: Batcher,
    private readonly options: ChargesOptions,
  ) {}

  /**
   * Charges or holds the amount.
   * @param fresh an item with a new call key
   * @param endsS time when the payment expires, in Unix seconds
   */
  async attempt(fresh: ChargeItem, endsS: bigint, nowMs: number): Promise<AttemptResult> {
    const { digest, confirmationId } = this.nameOf(fresh);
    const name = `${fresh.kind} ${confirmationId}`;
    const endsInMs = (Number(endsS) + maxSkewS) * 1_000 - nowMs;
    const known = this.unresolved.get(name);
    if (known?.state === 'refunded') return this.ended(name, known);
    const isAsked = known?.state === 'asked';
    if (isAsked && endsInMs <= 0) return { status: 'unknown', confirmationId };
    // One of two concurrent retries resolves the outcome. The other one counts as a duplicate.
    const former = isAsked ? undefined : known;
    const entry: Unresolved = former ?? { callKey: fresh.callKey, confirmationId, state: 'asked' };
    if (former) this.askAgain(former);
    // Store the key now: a concurrent retry must not get "expired" and pay twice.
    else if (!isAsked && endsInMs <= this.options.budgetMs) this.unresolved.set(name, entry);
    const item = entry.callKey === fresh.callKey ? fresh : { ...fresh, callKey: entry.callKey };
    const { outcome, isRepeated } = await this.ask(item);
    const expected = fresh.kind === 'charge' ? 'captured' : 'held';
    if (outcome.status === expected && this.isOf(outcome, fresh, digest)) {
      this.forget(name, entry);
      return { status: 'done', outcome, callKey: entry.callKey, confirmationId };
    }
    const isRejected = outcome.status === 'rejected';
    if (!isRejected) this.remember(name, entry, Math.max(endsInMs, 0) + lateMs);
    // The ledger can reject a retry although an earlier attempt was charged.
    else if (isRepeated || former) this.remember(name, entry, Math.max(endsInMs, 0));
    else this.forget(name, entry);
    return isRejected ? outcome : { status: 'unknown', confirmationId };
  }

  /** Sends the item twice if time permits. The second message requests the outcome of the first. */
  private async ask(item: ChargeItem): Promise<{ outcome: Outcome; isRepeated: boolean }> {
    const latestStartMs = performance.now() + this.options.budgetMs - this.options.messageTimeoutMs;
    const outcome = await this.batcher.submit(item, latestStartMs);
    if (outcome.status !== 'unknown') return { outcome, isRepeated: false };
    return { outcome: await this.batcher.submit(item, latestStartMs), isRepeated: true };
  }

  /**
   * Settles a channel. Never rejects.
   * @param opened digest of the payment that opened the channel
   */
  async settle(item: SettleItem, opened: Buffer): Promise<Outcome> {
    const outcome = await this.batcher.submit(item, performance.now() + this.options.messageTimeoutMs);
    const { enclaveKeys } = this.options;
    if (outcome.status !== 'settled' || !enclaveKeys || outcome.amountAtomic === 0n) return outcome;
    const receipt = receiptOf({ ...outcome, status: 'captured' });
    const isTrusted = isTrustedReceipt(receipt, enclaveKeys, settlementDigest(opened, outcome.units));
    return isTrusted ? outcome : { status: 'unknown' };
  }

  /** Whether the outcome of a charge is still unknown. */
  isUnresolved(item: ChargeItem): boolean {
    return this.unresolved.get(`${item.kind} ${this.nameOf(item).confirmationId}`) !== undefined;
  }

  nameOf({ payment }: ChargeItem): { digest: Buffer; confirmationId: string } {
    const digest = digestOf(payment);
    return { digest, confirmationId: confirmationIdOf(digest) };
  }

  /** Whether an outcome is for this payment and amount. A retry may arrive at a route with another price. */
  private isOf(outcome: SettledOutcome, { amountAtomic }: ChargeItem, digest: Buffer): boolean {
    if (!outcome.digest.equals(digest) || outcome.amountAtomic !== amountAtomic) return false;
    const { enclaveKeys } = this.options;
    // A held payment has no receipt yet.
    if (!enclaveKeys || outcome.status === 'held') return true;
    return isTrustedReceipt(receiptOf(outcome), enclaveKeys, digest);
  }

  /**
   * Stores the call key of an attempt with an unknown outcome, so that a retry with the same payment is served. Without
   * a retry the payment is refunded.
   */
  private remember(name: string, entry: Unresolved, refundInMs: number): void {
    entry.state = 'waits';
    entry.timer = setTimeout(() => void this.refundUnresolved(name, entry), refundInMs).unref();
    this.unresolved.set(name, entry);
  }

  private askAgain(entry: Unresolved): void {
    entry.state = 'asked';
    clearTimeout(entry.timer);
  }

  private refundEvicted({ state, timer, callKey, confirmationId }: Unresolved): void {
    if (state !== 'waits') return;
    clearTimeout(timer);
    void this.refund(callKey, confirmationId);
  }

  private forget(name: string, entry: Unresolved): void {
    if (this.unresolved.peek(name) === entry) this.unresolved.delete(name);
  }

  /** Keeps the entry until the refund has ended, because a concurrent retry must not pay twice. */
  private refundUnresolved(name: string, entry: Unresolved): Promise<RefundResult> {
    entry.state = 'refunded';
    entry.refund ??= this.refundAtLast(entry.callKey, entry.confirmationId).then((result) => {
      entry.refund = undefined;
      if (result.status !== 'failed') this.forget(name, entry);
      return result;
    });
    return withPatience(entry.refund);
  }

  /** The buyer is too late to be served. The refund continues in the background. */
  private async ended(name: string, entry: Unresolved): Promise<AttemptResult> {
    const { status } = await this.refundUnresolved(name, entry);
    if (status !== 'refunded' && status !== 'none')
      return { status: 'unknown', confirmationId: entry.confirmationId };
    const reason = 'invalid_ton_nanopay_valid_before';
    return { status: 'rejected', reason, retryAfterS: 0, approvalId: undefined };
  }

  /** Never rejects. A slow refund resolves as `pending` and continues in the background. */
  refund(callKey: Buffer, confirmationId: string): Promise<RefundResult> {
    return withPatience(this.refundAtLast(callKey, confirmationId));
  }

  private async refundAtLast(callKey: Buffer, confirmationId: string): Promise<RefundResult> {
    if (this.refundsUnderWay >= maxRefundsUnderWay) return this.failed(confirmationId);
    this.refundsUnderWay++;
    const item = { kind: 'void', callKey, confirmationId: Buffer.from(confirmationId, 'hex') } as const;
    try {
      for (const pauseMs of refundPausesMs) {
        if (pauseMs > 0) await pause(pauseMs);
        const outcome = await this.batcher.submit(item, performance.now() + this.options.messageTimeoutMs);
        if (outcome.status === 'voided') return { status: 'refunded', outcome };
        if (outcome.status === 'rejected' && outcome.reason === 'payment_paid_out') break;
        // The ledger has charged nothing under this key.
        if (outcome.status === 'rejected' && outcome.reason !== 'rate_limited') return { status: 'none' };
      }
    } finally {
      this.refundsUnderWay--;
    }
    return this.failed(confirmationId);
  }

  private failed(confirmationId: string): RefundResult {
    this.options.onRefundFailed(confirmationId);
    return { status: 'failed' };
  }
}

async function withPatience(refund: Promise<RefundResult>): Promise<RefundResult> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<RefundResult>((resolve) => {
    timer = setTimeout(() => resolve({ status: 'pending' }), refundPatienceMs);
  });
  return Promise.race([refund, patience]).finally(() => clearTimeout(timer));
}

/** An unreferenced timer, so that it does not keep the process alive. */
const pause = (timeMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, timeMs).unref());
