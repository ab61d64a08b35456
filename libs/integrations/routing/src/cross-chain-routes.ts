/** A token on a chain, both identified as in the registry. `address` is null for the native coin. */
export interface RouteToken {
  chain: string;
  symbol: string;
  address: string | null;
  decimals: number;
}

/** A payment in any token that delivers an exact amount of another token. */
export interface RouteRequest {
  from: RouteToken;
  to: RouteToken;
  /** The exact amount that the recipient receives. */
  amountOutAtomic: bigint;
  slippageBps: number;
  /** Address on the chain of `to`. */
  recipient: string;
  /** Address on the chain of `from` that receives refunds of undeliverable amounts. */
  refundTo: string;
  /** Deposits that arrive later may be lost. */
  deadline: Date;
  /** The platform's fee, added to the payment. */
  fee?: { account: string; bps: number };
}

export interface RouteQuote {
  /** The amount that the payer sends. It includes the slippage, and the unused rest is refunded. */
  amountInAtomic: bigint;
  /** The smallest accepted deposit. */
  minAmountInAtomic: bigint;
  amountOutAtomic: bigint;
  /** Decimal strings; null if the provider does not return them. */
  amountInUsd: string | null;
  amountOutUsd: string | null;
  /** Time from the confirmation of the deposit to the delivery. */
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
 * - `seen`: a deposit is known but not confirmed
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
  /** The amount that was received at the deposit address. */
  depositedAtomic: bigint | null;
  /** The used part of the deposited amount. */
  amountInAtomic: bigint | null;
  amountOutAtomic: bigint | null;
  refundedAtomic: bigint | null;
  /** Our own text; null without a refund. */
  refundReason: string | null;
  updatedAt: Date | null;
}

export interface PricedToken {
  /** Chain id in the registry. */
  chain: string;
  /** In the provider's notation; null for the coin. */
  address: string | null;
  symbol: string;
  decimals: number;
  /** US dollars for one whole token, as a decimal string. */
  priceUsd: string;
  pricedAt: Date;
}

/**
 * A provider of cross-chain routes. Every call may throw a `ProviderError`. A rejection of a quote throws a
 * `RouteRejection`.
 */
export interface CrossChainRoutes {
  /** Returns the supported tokens with prices. */
  tokens(signal?: AbortSignal): Promise<PricedToken[]>;
  /** Returns a price without obligation. */
  quote(request: RouteRequest, signal?: AbortSignal): Promise<RouteQuote>;
  /**
   * Creates a deposit address. Not idempotent: each call creates another address. A lost reply results in
   * `unknownOutcome`.
   */
  commit(request: RouteRequest, signal?: AbortSignal): Promise<CommittedRoute>;
  /** Submits a deposit to the provider, which then polls for it immediately. */
  submitDeposit(deposit: Deposit, txHash: string, signal?: AbortSignal): Promise<void>;
  /** Returns undefined for an unknown deposit address. */
  status(deposit: Deposit, signal?: AbortSignal): Promise<RouteStatus | undefined>;
}

/**
 * `priceMoved`: the quoted minimum cannot be met any more; request a new quote. `aboveMaximum`: the required amount is
 * above the maximum of the payer's chain.
 */
export type RejectionReason =
  | 'noRoute'
  | 'noLiquidity'
  | 'belowMinimum'
  | 'aboveMaximum'
  | 'badRecipient'
  | 'badRefundAddress'
  | 'priceMoved';

/** Thrown when the provider rejects the route. */
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
