/** A token on a chain, both named as in the registry. `address` is null for the native coin. */
export interface RouteToken {
  chain: string;
  symbol: string;
  address: string | null;
  decimals: number;
}

/** A payment of any token that delivers an exact amount of another one. */
export interface RouteRequest {
  from: RouteToken;
  to: RouteToken;
  /** The exact amount that the recipient gets. */
  amountOutAtomic: bigint;
  slippageBps: number;
  /** On the chain of `to`. */
  recipient: string;
  /** On the chain of `from`: receives refunds of what cannot be delivered. */
  refundTo: string;
  /** Deposits that arrive later may be lost. */
  deadline: Date;
  /** The platform's fee, on top of the payment. */
  fee?: { account: string; bps: number };
}

export interface RouteQuote {
  /** The amount that the payer sends. It includes the slippage; the unused rest is refunded. */
  amountInAtomic: bigint;
  /** The smallest accepted deposit. */
  minAmountInAtomic: bigint;
  amountOutAtomic: bigint;
  /** Decimal strings; null if the provider gives none. */
  amountInUsd: string | null;
  amountOutUsd: string | null;
  /** From the confirmation of the deposit to the delivery. */
  estimatedSeconds: number;
}

/** A quote with its own deposit address. The provider honours it until its deadline. */
export interface CommittedRoute extends RouteQuote {
  deposit: Deposit;
  deadline: Date;
  /** Deposits after this time are detected slowly. */
  inactiveAt: Date | null;
  /** The provider's whole signed reply, stored for disputes. */
  signedQuote: unknown;
}

/** Identifies a deposit: its address, and the memo on chains where payers share an address. */
export interface Deposit {
  address: string;
  memo: string | null;
}

/**
 * - `waiting`: nothing has arrived
 * - `seen`: a deposit is known and not confirmed
 * - `incomplete`: less than needed has arrived; may be topped up until the deadline, then it is refunded
 * - `processing`: being delivered
 * - `delivered`, `refunded`, `failed`: final
 */
export type RouteState =
  | 'waiting'
  | 'seen'
  | 'incomplete'
  | 'processing'
  | 'delivered'
  | 'refunded'
  | 'failed';

export interface RouteStatus {
  state: RouteState;
  depositTxs: readonly string[];
  deliveryTxs: readonly string[];
  /** The amount that arrived at the deposit address. */
  depositedAtomic: bigint | null;
  /** The part of it that was used. */
  amountInAtomic: bigint | null;
  amountOutAtomic: bigint | null;
  refundedAtomic: bigint | null;
  /** Our own text; null without a refund. */
  refundReason: string | null;
  updatedAt: Date | null;
}

export interface PricedToken {
  /** Chain id of the registry. */
  chain: string;
  /** As the provider spells it; null for the coin. */
  address: string | null;
  symbol: string;
  decimals: number;
  /** US dollars for one whole token, as a decimal string. */
  priceUsd: string;
  pricedAt: Date;
}

/**
 * A provider of cross-chain routes. Every call may throw a `ProviderError`; a rejection of a quote is a
 * `RouteRejection`.
 */
export interface CrossChainRoutes {
  /** Returns the supported tokens with prices. */
  tokens(signal?: AbortSignal): Promise<PricedToken[]>;
  /** Returns a price; creates no obligation. */
  quote(request: RouteRequest, signal?: AbortSignal): Promise<RouteQuote>;
  /**
   * Mints a deposit address. Not idempotent: each call mints another one. A lost reply is `unknownOutcome`.
   */
  commit(request: RouteRequest, signal?: AbortSignal): Promise<CommittedRoute>;
  /** Submits a deposit to the provider, which then polls for it immediately. */
  submitDeposit(deposit: Deposit, txHash: string, signal?: AbortSignal): Promise<void>;
  /** Returns undefined for an unknown deposit address. */
  status(deposit: Deposit, signal?: AbortSignal): Promise<RouteStatus | undefined>;
}

/**
 * `priceMoved`: the quoted minimum can no longer be met; request a new quote. `aboveMaximum`: the pay chain cannot
 * carry the amount that it takes.
 */
export type RejectionReason =
  | 'noRoute'
  | 'noLiquidity'
  | 'belowMinimum'
  | 'aboveMaximum'
  | 'badRecipient'
  | 'badRefundAddress'
  | 'priceMoved';

/** The provider rejects the route. */
export class RouteRejection extends Error {
  override readonly name = 'RouteRejection';

  constructor(
    readonly reason: RejectionReason,
    /** The provider's minimum, if stated: an amount of the delivered token, or dollars. */
    readonly minimum?: { amountOutAtomic: bigint } | { usd: string },
  ) {
    super(reason);
  }
}
