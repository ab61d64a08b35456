import type { Answer, Headers } from '../answers';
import type { Payment } from '../grant';
import type { StoredResponse } from '../response-store';

/** What became of a payment when the handler began its response. */
export type Charged =
  | { status: 'settled'; headers: Headers }
  /** The buyer gets this answer instead of the response. */
  | { status: 'failed'; answer: Answer }
  /** The same, and the response is stored for the retry that finds out. */
  | { status: 'unknown'; answer: Answer; keep(response: StoredResponse | undefined): void };

export interface HeldGrantSource {
  settle(): Promise<Charged>;
  isRefunded(status: number): boolean;
  keep(response: StoredResponse | undefined): void;
  release(): void;
}

/** A request with a verified payment, which is charged when its response begins. */
export class HeldGrant {
  private settling: Promise<Charged> | undefined;
  private isReleased = false;

  constructor(
    readonly payment: Payment,
    /** Sent with the response of the handler. */
    readonly headers: Headers,
    /** Sent with a response that is not charged. */
    private readonly unchargedHeaders: Headers,
    private readonly source: HeldGrantSource,
  ) {}

  /** Whether a response with this status is not charged. */
  isRefunded(status: number): boolean {
    return this.source.isRefunded(status);
  }

  get isCharging(): boolean {
    return this.settling !== undefined;
  }

  /** Charges, once. Never rejects. */
  settle(): Promise<Charged> {
    this.settling ??= this.source.settle();
    return this.settling;
  }

  /** Ends without a charge: the buyer can send the same payment again. */
  release(): Headers {
    if (!this.isReleased && !this.settling) this.source.release();
    this.isReleased = true;
    return this.unchargedHeaders;
  }

  /** @param response undefined if it was too long */
  keep(response: StoredResponse | undefined): void {
    this.source.keep(response);
  }
}
