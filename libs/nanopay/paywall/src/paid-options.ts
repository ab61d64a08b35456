import type { Answer } from './answers';
import type { Grant } from './grant';
import type { SignInOptions } from './extensions/sign-in-options';
import type { HeldGrant } from './official/held-grant';
import type { AcceptedWay } from './official/offers';

/** A request to a paid route. */
export interface PaidRequest {
  method: string;
  /** Path and query as received. */
  url: string;
  /** The header `Payment-Signature`; a list if it is repeated. */
  payment: string | readonly string[] | undefined;
  /** The header `Authorization`, where the scheme `Payment` is accepted. */
  authorization?: string | undefined;
  /** The header `Sign-In-With-X`. */
  signIn?: string | undefined;
  /** The received bytes, where bodies are bound. */
  body?: Uint8Array | undefined;
}

export type Amount = string | bigint;

/** What is sold, and for how much. */
export interface PaidOptions {
  /** In dollars, as `$0.001`: converted for the asset of each way to pay, and rejected where it is not exact. */
  price?: string | ((request: PaidRequest) => string);
  /** Instead of `price`, for nano-payments only: in the smallest unit of their asset. `1000` is a tenth of a cent. */
  amount?: Amount | ((request: PaidRequest) => Amount);
  /** Ways to pay besides nano-payments; by default those of the paywall. They need `price`. */
  accepts?: readonly AcceptedWay[];
  /** The seller's account, raw or friendly; by default the paywall's. */
  to?: string;
  description?: string;
  mimeType?: string;
  /** The URL that is advertised and signed, instead of base URL, path and query. */
  url?: string;
  /** How long a payment may be valid. */
  maxTimeoutS?: number;
  /** Payments are bound to the body as well. */
  bindBody?: boolean;
  /** Whether a response with this status is refunded; by default all from 500. */
  refundOn?: (status: number) => boolean;
  /**
   * Extensions of x402 for the 402, such as `declareDiscoveryExtension` of `@x402/extensions` returns them; at most 4
   * KiB.
   */
  extensions?: Readonly<Record<string, unknown>>;
  /** A payer on an EVM chain or Solana reads the same resource again by a signed message (`sign-in-with-x`). */
  signIn?: SignInOptions;
}

export type Verdict =
  | { kind: 'granted'; grant: Grant | HeldGrant }
  | { kind: 'payment_required' | 'rate_limited'; answer: Answer }
  | { kind: 'malformed' | 'conflict'; answer: Answer }
  /** The outcome of the charge is unknown: a retry of the request finds out. */
  | { kind: 'unknown'; answer: Answer }
  /** The stored response, for the retry of a call with a `payment-identifier`. */
  | { kind: 'repeated'; answer: Answer };
