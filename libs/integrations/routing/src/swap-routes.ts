import type { RouteToken } from './cross-chain-routes';

/** A swap of an exact input for as much output as possible, by transactions that the user signs. */
export interface SwapRequest {
  from: RouteToken;
  to: RouteToken;
  /** The exact input amount. */
  amountInAtomic: bigint;
  slippageBps: number;
  /** The account that signs and pays for gas. Null for a price only. */
  sender: string | null;
}

/** The steps of a swap in order. Steps that are not needed are absent. */
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
  /** Name for display, for example `Bridge fee`. */
  name: string;
  token: RouteToken;
  amountAtomic: bigint;
  /** Whether the fee is already subtracted from the quoted output. */
  isIncluded: boolean;
}

export interface SwapQuote {
  amountOutAtomic: bigint;
  /** The guaranteed minimum. Below it, the transaction reverts or the input is refunded. */
  minAmountOutAtomic: bigint;
  steps: readonly SwapStep[];
  fees: readonly SwapFee[];
  /** Gas units of the user's swap transaction, without approvals. */
  gasUnits: bigint;
  /** Time from sending the swap transaction to the delivery. */
  estimatedSeconds: number;
  /** The loss compared with the price of a very small swap; null if the provider does not return it. */
  priceImpactBps: number | null;
  /** Expiry of the quote at the provider; null if the provider does not return it. */
  expiresAt: Date | null;
}

export interface SwapBuildRequest extends SwapRequest {
  sender: string;
  /** Address on the chain of `to`. */
  recipient: string;
  /** The chain rejects the transaction after this time. */
  deadline: Date;
  /** The minimum of the quote, which the build must meet. */
  minAmountOutAtomic: bigint;
}

export interface BuiltSwap {
  /** The spender that needs an allowance of `amountInAtomic`; null for native coins. */
  spender: string | null;
  transaction: {
    to: string;
    /** `0x` and hexadecimal digits. */
    data: string;
    valueAtomic: bigint;
    /** The provider's own estimate; null without one. */
    gasUnits: bigint | null;
  };
  /** The current quote, never below the request's `minAmountOutAtomic`. */
  quote: SwapQuote;
  /** The transaction must be sent before this time. Null if only the deadline applies. */
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
 * - `pending`: in progress, or still unknown to the provider
 * - `delivered`: the recipient has the wanted token
 * - `deliveredOther`: the recipient has another token, for example the bridged one after a failed last swap
 * - `refunding`: not deliverable, the refund is in progress
 * - `refunded`, `failed`: final
 */
export type SwapState = 'pending' | 'delivered' | 'deliveredOther' | 'refunding' | 'refunded' | 'failed';

export interface SwapStatus {
  state: SwapState;
  /** The transaction that paid the recipient. For a swap on one chain, it is the swap transaction itself. */
  deliveryTxHash: string | null;
  refundTxHash: string | null;
  /** Our own text; null for a swap without problems. */
  reason: string | null;
}

/**
 * A provider of swaps. Every call may throw a `ProviderError`. A rejection of a quote or of a build throws a
 * `RouteRejection` (see `cross-chain-routes.ts`).
 */
export interface SwapRoutes {
  /** For example `uniswap`, `across` or `lifi`. */
  readonly name: string;
  /** Whether the provider supports the chains of the pair, regardless of liquidity. */
  serves(from: RouteToken, to: RouteToken): boolean;
  /** Returns a price without obligation. */
  quote(request: SwapRequest, signal?: AbortSignal): Promise<SwapQuote>;
  /** Builds a swap. Safe to repeat, because a transaction has no effect until it is signed and sent. */
  build(request: SwapBuildRequest, signal?: AbortSignal): Promise<BuiltSwap>;
  status(query: SwapStatusQuery, signal?: AbortSignal): Promise<SwapStatus>;
}
