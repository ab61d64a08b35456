import type { Receipt } from '@tollbridge/nanopay-protocol';
import type { Headers } from './answers';
import type { RecordedResponse, StoredResponse } from './response-store';

/** The payment of a request, for its handler. */
export interface Payment {
  /** Unique for each payment. */
  confirmationId: string;
  from: string;
  to: string;
  /** What was charged, in the smallest unit of the asset. */
  amount: string;
  asset: string;
  /** Position of the receipt in the ledger; absent for a payment by a channel, which is settled later. */
  seq?: string;
  /** Absent for a payment by a channel. */
  receipt?: Receipt;
  /** The channel and the link that paid. */
  channel?: { id: string; index: number };
}

/** What a grant uses of its route. */
export interface GrantSource {
  /** Refunds the payment. Never rejects. The headers that report it; undefined if the payment stays charged. */
  refund(): Promise<Headers | undefined>;
  isRefunded(status: number): boolean;
  /** Set if a retry gets the stored response: the buyer sent a `payment-identifier`, or paid by a channel. */
  keep?(response: StoredResponse | undefined): void;
  /** Instead of `keep`, where a response is rarely asked for again. */
  keepRecord?(response: RecordedResponse): void;
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
    private readonly source: GrantSource,
  ) {}

  isRefunded(status: number): boolean {
    return this.source.isRefunded(status);
  }

  /** Refunds the charge, once. Never rejects; the headers replace the earlier ones. */
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

  keepRecord(response: RecordedResponse): void {
    if (this.source.keepRecord) this.source.keepRecord(response);
    else this.keep(response.take());
  }
}
