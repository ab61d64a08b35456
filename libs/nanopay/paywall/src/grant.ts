import type { Receipt } from '@tollbridge/nanopay-protocol';
import type { Headers } from './answers';
import type { RecordedResponse, StoredResponse } from './response-store';

/** The payment of a request, for its handler. */
export interface Payment {
  /** Unique for each payment. */
  confirmationId: string;
  /** `ton-nanopay`, or an official scheme of x402. */
  scheme: string;
  /** CAIP-2. */
  network: string;
  from: string;
  to: string;
  /**
   * The charged amount in the smallest unit of the asset. With an official scheme, the amount to charge with the
   * response.
   */
  amount: string;
  /** Symbol of the asset; its address if it has no symbol. */
  asset: string;
  /**
   * Position of the receipt in the ledger, for `ton-nanopay`. Absent for a payment by a channel, which is settled
   * later.
   */
  seq?: string;
  /** Receipt of a payment by `ton-nanopay`. Absent for a payment by a channel. */
  receipt?: Receipt;
  /** The channel and the index of the link that paid. */
  channel?: { id: string; index: number };
  /**
   * For the scheme `upto`: charges less than the price. Call it before the response begins.
   * @param amountAtomic in the smallest unit of the asset; zero charges nothing
   * @throws RangeError for more than the price, and after the response has begun
   */
  chargeOnly?: (amountAtomic: bigint) => void;
}

/** The effects of a grant on the payment of its route. */
export interface GrantSource {
  /**
   * Refunds the payment. Never rejects. Resolves to the headers that report the refund, or undefined if the payment
   * stays charged.
   */
  refund(): Promise<Headers | undefined>;
  isRefunded(status: number): boolean;
  /** Stores the response for retries. Set if the buyer sent a `payment-identifier` or paid by a channel. */
  keep?(response: StoredResponse | undefined): void;
  /** Replaces `keep` for responses that are rarely requested again. */
  keepRecord?(response: RecordedResponse): void;
  release?(): void;
}

/** The permission to serve a paid request: the headers of its response, and the effects of the response. */
export class Grant {
  private refunding: Promise<Headers> | undefined;
  private isReleased = false;

  constructor(
    readonly payment: Payment,
    /** Headers to send with the response of the handler. */
    readonly headers: Headers,
    private readonly source: GrantSource,
  ) {}

  isRefunded(status: number): boolean {
    return this.source.isRefunded(status);
  }

  /** Refunds the charge, once. Never rejects. The returned headers replace the earlier ones. */
  refund(): Promise<Headers> {
    this.refunding ??= this.source.refund().then((headers) => {
      this.release();
      return headers ? { ...this.headers, ...headers } : this.headers;
    });
    return this.refunding;
  }

  get keepsResponse(): boolean {
    return this.source.keep !== undefined;
  }

  /** No response will be stored, so a retry must not wait for one. */
  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.source.release?.();
  }

  /** @param response undefined if the response was too long */
  keep(response: StoredResponse | undefined): void {
    this.source.keep?.(response);
  }

  keepRecord(response: RecordedResponse): void {
    if (this.source.keepRecord) this.source.keepRecord(response);
    else this.keep(response.take());
  }
}
