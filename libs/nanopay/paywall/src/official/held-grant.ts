import type { Answer, Headers } from '../answers';
import type { Payment } from '../grant';
import type { StoredResponse } from '../response-store';

/** The outcome of the charge when the handler begins its response. */
export type Charged =
  | { status: 'settled'; headers: Headers }
  /** The charge failed. The buyer receives this answer instead of the response. */
  | { status: 'failed'; answer: Answer }
  /**
   * The outcome is unknown. The buyer receives this answer, and the response is stored for the retry that resolves the
   * outcome.
   */
  | { status: 'unknown'; answer: Answer; keep(response: StoredResponse | undefined): void };

export interface HeldGrantSource {
  settle(): Promise<Charged>;
  isRefunded(status: number): boolean;
  keep(response: StoredResponse | undefined): void;
  release(): void;
}

/** A request with a verified payment. The payment is charged when the response begins. */
export class HeldGrant {
  private settling: Promise<Charged> | undefined;
  private isReleased = false;

  constructor(
    readonly payment: Payment,
    /** Headers to send with the response of the handler. */
    readonly headers: Headers,
    /** Headers to send with a response that is not charged. */
    private readonly unchargedHeaders: Headers,
    private readonly source: HeldGrantSource,
  ) {}

  /** Whether a response with this status is uncharged. */
  isRefunded(status: number): boolean {
    return this.source.isRefunded(status);
  }

  get isCharging(): boolean {
    return this.settling !== undefined;
  }

  /** Charges the payment, once. Never rejects. */
  settle(): Promise<Charged> {
    this.settling ??= this.source.settle();
    return this.settling;
  }

  /** Ends the request without a charge, so that the buyer can send the same payment again. */
  release(): Headers {
    if (!this.isReleased && !this.settling) this.source.release();
    this.isReleased = true;
    return this.unchargedHeaders;
  }

  /** @param response undefined if the response was too long */
  keep(response: StoredResponse | undefined): void {
    this.source.keep(response);
  }
}
