import type { RouteToken } from './cross-chain-routes';

/** Give an exact amount of one token, get as much as possible of another, in transactions that the user signs. */
export interface SwapRequest {
  from: RouteToken;
  to: RouteToken;
  /** What is given, exactly. */
  amountInAtomic: bigint;
  slippageBps: number;
  /** Who gives, signs and pays the gas; null while only a price is wanted. */
  sender: string | null;
}

/** The parts of a way in their order; what is absent is not needed. */
export type SwapStepType = 'originSwap' | 'bridge' | 'destinationSwap';

export interface SwapStep {
  type: SwapStepType;
  /** Who does it: `uniswap-v3`, `across`, a bridge's or an exchange's own name. */
  venue: string;
  tokenIn: RouteToken;
  tokenOut: RouteToken;
  amountInAtomic: bigint;
  amountOutAtomic: bigint;
}

export interface SwapFee {
  /** `Bridge fee`, for people. */
  name: string;
  token: RouteToken;
  amountAtomic: bigint;
  /** Whether the quoted output is already without it. */
  isIncluded: boolean;
}

export interface SwapQuote {
  amountOutAtomic: bigint;
  /** Less than this is never delivered: the transaction reverts or the money goes back. */
  minAmountOutAtomic: bigint;
  steps: readonly SwapStep[];
  fees: readonly SwapFee[];
  /** Gas units of the user's swap transaction, approvals not included. */
  gasUnits: bigint;
  /** From the sending of the swap transaction to the delivery. */
  estimatedSeconds: number;
  /** How much worse than the price of a very small swap, where the provider says so. */
  priceImpactBps: number | null;
  /** Until when the provider honours it; null where it does not say. */
  expiresAt: Date | null;
}

export interface SwapBuildRequest extends SwapRequest {
  sender: string;
  /** On the chain of `to`. */
  recipient: string;
  /** The chain rejects the transaction after it. */
  deadline: Date;
  /** Less than this must never be delivered: what was promised with the quote. */
  minAmountOutAtomic: bigint;
}

export interface BuiltSwap {
  /** Who must be allowed to take `amountInAtomic` of the input token; null for the coin. */
  spender: string | null;
  transaction: {
    to: string;
    /** `0x` and hex. */
    data: string;
    valueAtomic: bigint;
    /** The provider's own estimate; null where it has none. */
    gasUnits: bigint | null;
  };
  /** As it is now: what was quoted may have moved, never below the request's `minAmountOutAtomic`. */
  quote: SwapQuote;
  /** The transaction must be sent before; null where only the deadline counts. */
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
 * - `pending`: under way, or not known to the provider yet
 * - `delivered`: the recipient has the wanted token
 * - `deliveredOther`: the recipient has another token, such as the bridged one because the last swap failed
 * - `refunding`: will not be delivered and is on its way back
 * - `refunded`, `failed`: the end
 */
export type SwapState = 'pending' | 'delivered' | 'deliveredOther' | 'refunding' | 'refunded' | 'failed';

export interface SwapStatus {
  state: SwapState;
  /** The transaction that paid the recipient. On one chain it is the swap transaction itself. */
  deliveryTxHash: string | null;
  refundTxHash: string | null;
  /** In our words; null unless it did not go as wanted. */
  reason: string | null;
}

/**
 * A provider of swaps. Every call may throw a `ProviderError`; a rejection of a quote or of a build is a `RouteRejection`
 * (see `cross-chain-routes.ts`).
 */
export interface SwapRoutes {
  /** `uniswap`, `across`, `lifi`. */
  readonly name: string;
  /** Whether it may be asked about this pair at all: its chains, not its liquidity. */
  serves(from: RouteToken, to: RouteToken): boolean;
  /** A price without any obligation. */
  quote(request: SwapRequest, signal?: AbortSignal): Promise<SwapQuote>;
  /** Safe to repeat: a transaction has no effect until it is signed and sent. */
  build(request: SwapBuildRequest, signal?: AbortSignal): Promise<BuiltSwap>;
  status(query: SwapStatusQuery, signal?: AbortSignal): Promise<SwapStatus>;
}
