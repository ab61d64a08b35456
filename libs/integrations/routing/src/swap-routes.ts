import type { RouteToken } from './cross-chain-routes';

/** A swap of an exact input for as much output as possible, by transactions that the user signs. */
export interface SwapRequest {
  from: RouteToken;
  to: RouteToken;
  /** The exact input. */
  amountInAtomic: bigint;
  slippageBps: number;
  /** The account that signs and pays for gas; null for a price only. */
  sender: string | null;
}

/** The steps of a swap in order; steps that are not needed are absent. */
export type SwapStepType = 'originSwap' | 'bridge' | 'destinationSwap';

export interface SwapStep {
  type: SwapStepType;
  /** `uniswap-v3`, `across`, or the name of another bridge or exchange. */
  venue: string;
  tokenIn: RouteToken;
  tokenOut: RouteToken;
  amountInAtomic: bigint;
  amountOutAtomic: bigint;
}

export interface SwapFee {
  /** A name for display, such as `Bridge fee`. */
  name: string;
  token: RouteToken;
  amountAtomic: bigint;
  /** Whether the fee is already subtracted from the quoted output. */
  isIncluded: boolean;
}

export interface SwapQuote {
  amountOutAtomic: bigint;
  /** The guaranteed minimum: below it, the transaction reverts or the input is refunded. */
  minAmountOutAtomic: bigint;
  steps: readonly SwapStep[];
  fees: readonly SwapFee[];
  /** Gas units of the user's swap transaction, approvals not included. */
  gasUnits: bigint;
  /** From the sending of the swap transaction to the delivery. */
  estimatedSeconds: number;
  /** The loss against the price of a very small swap; null if the provider gives none. */
  priceImpactBps: number | null;
  /** When the quote expires at the provider; null if it gives no time. */
  expiresAt: Date | null;
}

export interface SwapBuildRequest extends SwapRequest {
  sender: string;
  /** On the chain of `to`. */
  recipient: string;
  /** The chain rejects the transaction after it. */
  deadline: Date;
  /** The minimum of the quote, which the build must meet. */
  minAmountOutAtomic: bigint;
}

export interface BuiltSwap {
  /** The spender that needs an allowance of `amountInAtomic`; null for native coins. */
  spender: string | null;
  transaction: {
    to: string;
    /** `0x` and hex. */
    data: string;
    valueAtomic: bigint;
    /** The provider's own estimate; null without one. */
    gasUnits: bigint | null;
  };
  /** The current quote, never below the request's `minAmountOutAtomic`. */
  quote: SwapQuote;
  /** The transaction must be sent before this time; null if only the deadline applies. */
  validUntil: Date | null;
}

export interface SwapStatusQuery {
  from: RouteToken;
  to: RouteToken;
  recipient: string;
  /** The swap transaction on the chain of `from`, mined and successful. */
  txHash: string;
}

/**
 * - `pending`: in progress, or not known to the provider yet
 * - `delivered`: the recipient has the wanted token
 * - `deliveredOther`: the recipient has another token, such as the bridged one because the last swap failed
 * - `refunding`: not deliverable, the refund is in progress
 * - `refunded`, `failed`: final
 */
export type SwapState = 'pending' | 'delivered' | 'deliveredOther' | 'refunding' | 'refunded' | 'failed';

export interface SwapStatus {
  state: SwapState;
  /** The transaction that paid the recipient. On one chain it is the swap transaction itself. */
  deliveryTxHash: string | null;
  refundTxHash: string | null;
  /** Our own text; null for a swap without problems. */
  reason: string | null;
}

/**
 * A provider of swaps. Every call may throw a `ProviderError`; a rejection of a quote or of a build is a
 * `RouteRejection` (see `cross-chain-routes.ts`).
 */
export interface SwapRoutes {
  /** `uniswap`, `across`, `lifi`. */
  readonly name: string;
  /** Whether the provider supports the chains of the pair, regardless of liquidity. */
  serves(from: RouteToken, to: RouteToken): boolean;
  /** Returns a price; creates no obligation. */
  quote(request: SwapRequest, signal?: AbortSignal): Promise<SwapQuote>;
  /** Safe to repeat: a transaction has no effect until it is signed and sent. */
  build(request: SwapBuildRequest, signal?: AbortSignal): Promise<BuiltSwap>;
  status(query: SwapStatusQuery, signal?: AbortSignal): Promise<SwapStatus>;
}
