import { receiptOf, type Receipt } from '@tollbridge/nanopay-protocol';
import { refundedHeader, type Headers, type PaidWith } from './answers';
import type { RefundResult } from './charges';
import type { StoredResponse } from './response-store';

/** The payment of a request, for its handler. */
export interface Payment {
  confirmationId: string;
  /** `ton-nanopay`, or an official scheme of x402. */
  scheme: string;
  /** CAIP-2. */
  network: string;
  from: string;
  to: string;
  /** What was charged, in the smallest unit of the asset; with an official scheme, what is charged with the response. */
  amount: string;
  /** Symbol of the asset; its address if it has no symbol. */
  asset: string;
  /** Position of the receipt in the ledger. Of `ton-nanopay`. */
  seq?: string;
  /** Of `ton-nanopay`. */
  receipt?: Receipt;
  /**
   * With the scheme `upto`: charges less than the price. Call it before the response begins.
   * @param amountAtomic in the smallest unit of the asset; zero charges nothing
   * @throws RangeError for more than the price, and after the response has begun
   */
  chargeOnly?: (amountAtomic: bigint) => void;
}

/** What a grant uses of its route. */
export interface GrantSource {
  refund(): Promise<RefundResult>;
  isRefunded(status: number): boolean;
  /** Set if the buyer sent a `payment-identifier`: a retry gets the stored response. */
  keep?(response: StoredResponse | undefined): void;
  release?(): void;
}

/** A paid request: headers for its response, and the effects of the response.  */
export class Grant {
  private refunding: Promise<Headers> | undefined;
  private isReleased = false;

  constructor(
    readonly payment: Payment,
    /** Sent with the response of the handler. */
    readonly headers: Headers,
    private readonly paid: PaidWith,
    private readonly source: GrantSource,
  ) {}

  isRefunded(status: number): boolean {
    return this.source.isRefunded(status);
  }

  /** Refunds the charge, once. Never rejects; the headers replace the earlier ones. */
  refund(): Promise<Headers> {
    this.refunding ??= this.source.refund().then((result) => {
      this.release();
      const isCharged = result.status === 'none' || result.status === 'failed';
      return isCharged ? this.headers : { ...this.headers, ...this.headerOf(result) };
    });
    return this.refunding;
  }

  private headerOf(result: Exclude<RefundResult, { status: 'none' | 'failed' }>): Headers {
    if (result.status === 'pending') return { 'PAYMENT-RESPONSE': refundedHeader(this.paid, 'pending') };
    const receipt = receiptOf(result.outcome);
    return { 'PAYMENT-RESPONSE': refundedHeader(this.paid, 'done', receipt) };
  }

  get keepsResponse(): boolean {
    return this.source.keep !== undefined;
  }

  /** No response will be stored: a retry does not wait for it. */
  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.source.release?.();
  }

  /** @param response undefined if it was too long */
  keep(response: StoredResponse | undefined): void {
    this.source.keep?.(response);
  }
}
