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
  /** The header `Payment-Signature`; an array if it is repeated. */
  payment: string | readonly string[] | undefined;
  /** The header `Authorization`, if the scheme `Payment` is accepted. */
  authorization?: string | undefined;
  /** The header `Sign-In-With-X`. */
  signIn?: string | undefined;
  /** The received bytes of the body, if bodies are bound. */
  body?: Uint8Array | undefined;
}

export type Amount = string | bigint;

/** The resource to sell, with its price. */
export interface PaidOptions {
  /**
   * Price in dollars, for example `$0.001`. It is converted to the asset of each payment method, and rejected if the
   * conversion is inexact.
   */
  price?: string | ((request: PaidRequest) => string);
  /**
   * Replaces `price` for routes with nano-payments only, in the smallest unit of their asset. `1000` is a tenth of a
   * cent.
   */
  amount?: Amount | ((request: PaidRequest) => Amount);
  /** Payment methods besides nano-payments. By default those of the paywall. They require `price`. */
  accepts?: readonly AcceptedWay[];
  /** The seller's account in raw or friendly form. By default the paywall's. */
  to?: string;
  description?: string;
  mimeType?: string;
  /** The URL to advertise and sign, instead of base URL, path and query. */
  url?: string;
  /** Maximum validity of a payment. */
  maxTimeoutS?: number;
  /** Binds payments to the body as well. */
  bindBody?: boolean;
  /** Whether a response with this status is refunded. By default every status from 500 on. */
  refundOn?: (status: number) => boolean;
  /**
   * Extensions of x402 for the 402, for example from `declareDiscoveryExtension` of `@x402/extensions`. At most 4 KiB.
   */
  extensions?: Readonly<Record<string, unknown>>;
  /** Lets a payer on an EVM chain or Solana read the same resource again with a signed message (`sign-in-with-x`). */
  signIn?: SignInOptions;
}

export type Verdict =
  | { kind: 'granted'; grant: Grant | HeldGrant }
  | { kind: 'payment_required' | 'rate_limited'; answer: Answer }
  | { kind: 'malformed' | 'conflict'; answer: Answer }
  /** The outcome of the charge is unknown. A retry of the request resolves it. */
  | { kind: 'unknown'; answer: Answer }
  /** The stored response, for a retry of a call with a `payment-identifier`. */
  | { kind: 'repeated'; answer: Answer };
