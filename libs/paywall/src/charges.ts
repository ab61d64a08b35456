import {
  confirmationIdOf,
  digestOf,
  isReceipt,
  receiptOf,
  maxSkewS,
  type ChargeItem,
  type RefusedOutcome,
  type SettledOutcome,
} from '@tollbridge/nanopay';
import type { Batcher } from './batcher';
import { BoundedMap } from './bounded-map';

export interface ChargesOptions {
  /** For all attempts of one request together. */
  budgetMs: number;
  /** As the batcher has it. */
  messageTimeoutMs: number;
  /** Whose receipts are believed; without it those of whoever answers. */
  enclaveKey: Uint8Array | undefined;
  /** A payment could not be given back, and nobody will try again. */
  onRefundFailed: (confirmationId: string) => void;
}

export type AttemptResult =
  | { status: 'done'; outcome: SettledOutcome; callKey: Buffer; confirmationId: string }
  | RefusedOutcome
  | { status: 'unknown'; confirmationId: string };

export type RefundResult =
  { status: 'refunded'; outcome: SettledOutcome } | { status: 'pending' } | { status: 'none' };

interface Unresolved {
  callKey: Buffer;
  confirmationId: string;
  timer: NodeJS.Timeout;
}

/** As many buyers may come back to find out what became of their payments. */
const maxUnresolved = 10_000;
/** While the enclave is away, as many refunds wait for it. */
const maxRefundsUnderWay = 10_000;
const refundPausesMs = [0, 100, 300, 1_000, 3_000, 10_000, 30_000, 60_000];
/** So long a handler's failure waits for the refund, to tell of it. */
const refundPatienceMs = 2_000;

/** Charges payments, and gives back. The same attempt always has the same key, so that no repetition charges twice. */
export class Charges {
  private readonly unresolved = new BoundedMap<string, Unresolved>(maxUnresolved);
  private refundsUnderWay = 0;

  constructor(
    private readonly batcher: Batcher,
    private readonly options: ChargesOptions,
  ) {}

  /**
   * Charges or holds.
   * @param fresh with a key of its own
   * @param endsS when the payment is no longer valid
   */
  async attempt(fresh: ChargeItem, endsS: bigint, nowMs: number): Promise<AttemptResult> {
    const { digest, confirmationId } = this.nameOf(fresh);
    const name = `${fresh.kind} ${confirmationId}`;
    // Taken away: of two who repeat it at once, one finds out, and the other has used it twice.
    const former = this.unresolved.take(name);
    if (former) clearTimeout(former.timer);
    const item = former ? { ...fresh, callKey: former.callKey } : fresh;
    // Twice if there is time: the second asks what became of the first.
    const latestStartMs = performance.now() + this.options.budgetMs - this.options.messageTimeoutMs;
    const first = await this.batcher.submit(item, latestStartMs);
    const isRepeated = first.status === 'unknown';
    const outcome = isRepeated ? await this.batcher.submit(item, latestStartMs) : first;
    const expected = item.kind === 'charge' ? 'captured' : 'held';
    if (outcome.status === expected && this.isOf(outcome, item, digest))
      return { status: 'done', outcome, callKey: item.callKey, confirmationId };
    const isRefused = outcome.status === 'refused';
    // A repetition may be refused for being late, while the attempt before it was charged.
    if (!isRefused || isRepeated || former)
      this.remember(name, item.callKey, confirmationId, (Number(endsS) + maxSkewS) * 1_000 - nowMs);
    return isRefused ? outcome : { status: 'unknown', confirmationId };
  }

  nameOf({ payment }: ChargeItem): { digest: Buffer; confirmationId: string } {
    const digest = digestOf(payment);
    return { digest, confirmationId: confirmationIdOf(digest) };
  }

  /** Whether an outcome is of this payment, and of this amount: an attempt may be repeated where something else is sold. */
  private isOf(outcome: SettledOutcome, { amountAtomic }: ChargeItem, digest: Buffer): boolean {
    if (!outcome.digest.equals(digest) || outcome.amountAtomic !== amountAtomic) return false;
    const { enclaveKey } = this.options;
    // What is held has no receipt yet.
    return !enclaveKey || outcome.status === 'held' || isReceipt(receiptOf(outcome), enclaveKey, digest);
  }

  /**
   * Keeps the key of an attempt whose outcome is unknown: the buyer may come back with the same payment and be served. If he
   * does not, it is given back as soon as it can no longer be charged.
   */
  private remember(name: string, callKey: Buffer, confirmationId: string, endsInMs: number): void {
    const timer = setTimeout(
      () => {
        if (this.unresolved.take(name)) void this.refund(callKey, confirmationId);
      },
      Math.max(endsInMs, 0),
    );
    timer.unref();
    const dropped = this.unresolved.set(name, { callKey, confirmationId, timer });
    if (!dropped) return;
    clearTimeout(dropped.timer);
    void this.refund(dropped.callKey, dropped.confirmationId);
  }

  /** Never rejects. What takes too long is `pending`, and goes on. */
  async refund(callKey: Buffer, confirmationId: string): Promise<RefundResult> {
    if (this.refundsUnderWay >= maxRefundsUnderWay) {
      this.options.onRefundFailed(confirmationId);
      return { status: 'none' };
    }
    this.refundsUnderWay++;
    const refund = this.refundAtLast(callKey, confirmationId).finally(() => this.refundsUnderWay--);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<RefundResult>((resolve) => {
      timer = setTimeout(() => resolve({ status: 'pending' }), refundPatienceMs);
    });
    return Promise.race([refund, patience]).finally(() => clearTimeout(timer));
  }

  private async refundAtLast(callKey: Buffer, confirmationId: string): Promise<RefundResult> {
    const item = { kind: 'void', callKey, confirmationId: Buffer.from(confirmationId, 'hex') } as const;
    for (const pauseMs of refundPausesMs) {
      if (pauseMs > 0) await pause(pauseMs);
      const outcome = await this.batcher.submit(item, performance.now() + this.options.messageTimeoutMs);
      if (outcome.status === 'voided') return { status: 'refunded', outcome };
      // Nothing was charged under this key.
      if (outcome.status === 'refused' && outcome.reason !== 'rate_limited') return { status: 'none' };
    }
    this.options.onRefundFailed(confirmationId);
    return { status: 'none' };
  }
}

/** Keeps no process alive. */
const pause = (timeMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, timeMs).unref());
