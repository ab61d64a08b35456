/** A token on a chain, as the registry names both; `address` is null for the chain's own coin. */
export interface RouteToken {
  chain: string;
  symbol: string;
  address: string | null;
  decimals: number;
}

/** Pay any token, deliver an exact amount of another one. */
export interface RouteRequest {
  from: RouteToken;
  to: RouteToken;
  /** What the recipient gets, exactly. */
  amountOutAtomic: bigint;
  slippageBps: number;
  /** On the chain of `to`. */
  recipient: string;
  /** On the chain of `from`: where money goes that cannot be delivered. */
  refundTo: string;
  /** Deposits that arrive later may be lost. */
  deadline: Date;
  /** Taken on top of what is paid, for the platform. */
  fee?: { account: string; bps: number };
}

export interface RouteQuote {
  /** What the payer sends; the slippage is in it, and what is not needed comes back. */
  amountInAtomic: bigint;
  /** The least that is accepted. */
  minAmountInAtomic: bigint;
  amountOutAtomic: bigint;
  /** Decimal strings, where the provider gives them. */
  amountInUsd: string | null;
  amountOutUsd: string | null;
  /** From the confirmation of the deposit to the delivery. */
  estimatedSeconds: number;
}

/** A quote with an address of its own. The provider honours it until its deadline. */
export interface CommittedRoute extends RouteQuote {
  deposit: Deposit;
  deadline: Date;
  /** From then on deposits are found slowly. */
  inactiveAt: Date | null;
  /** The provider's whole signed answer, kept for disputes. */
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
 * - `delivered`, `refunded`, `failed`: the end
 */
export type RouteState =
  'waiting' | 'seen' | 'incomplete' | 'processing' | 'delivered' | 'refunded' | 'failed';

export interface RouteStatus {
  state: RouteState;
  depositTxs: readonly string[];
  deliveryTxs: readonly string[];
  /** What arrived at the deposit address. */
  depositedAtomic: bigint | null;
  /** What of it was used. */
  amountInAtomic: bigint | null;
  amountOutAtomic: bigint | null;
  refundedAtomic: bigint | null;
  /** In our words; null unless something went back. */
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
 * A provider of cross-chain routes. Every call may throw a `ProviderError`; a rejection of a quote is a `RouteRejection`.
 */
export interface CrossChainRoutes {
  /** What it can carry, with prices. */
  tokens(signal?: AbortSignal): Promise<PricedToken[]>;
  /** A price without any obligation. */
  quote(request: RouteRequest, signal?: AbortSignal): Promise<RouteQuote>;
  /**
   * Mints a deposit address. Not repeatable: each call mints another one. A lost answer is `unknownOutcome`.
   */
  commit(request: RouteRequest, signal?: AbortSignal): Promise<CommittedRoute>;
  /** Submits a deposit to the provider, which then polls for it at once. */
  submitDeposit(deposit: Deposit, txHash: string, signal?: AbortSignal): Promise<void>;
  /** undefined for a deposit address that the provider does not know. */
  status(deposit: Deposit, signal?: AbortSignal): Promise<RouteStatus | undefined>;
}

/** `priceMoved`: what was promised with a quote cannot be kept any more; a new quote promises less. */
export type RejectionReason =
  'noRoute' | 'noLiquidity' | 'belowMinimum' | 'badRecipient' | 'badRefundAddress' | 'priceMoved';

/** The provider will not carry this. */
export class RouteRejection extends Error {
  override readonly name = 'RouteRejection';

  constructor(
    readonly reason: RejectionReason,
    /** The least that it would carry, where it says so: an amount of the delivered token, or dollars. */
    readonly minimum?: { amountOutAtomic: bigint } | { usd: string },
  ) {
    super(reason);
  }
}
