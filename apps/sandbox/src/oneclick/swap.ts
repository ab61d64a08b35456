import type { Asset } from './assets';
import { costsOf } from './bridge-costs';
import { coldForMs, partialFillBps, type Outcome } from './magic-amounts';
import { amountWorth, inputFor, outputFor, type SwapTerms } from './quote-maths';
import type { QuoteRequest, QuoteResponse, SwapStatus } from './wire';
import { mulDivCeil, mulDivFloor } from '@tollbridge/money';

/** A committed quote and its state. */
export interface Swap {
  id: string;
  depositAddress: string;
  depositMemo: string;
  /** Null when the deposit address is on a chain without a local node. */
  depositKey: string | null;
  origin: Asset;
  destination: Asset;
  response: QuoteResponse;
  outcome: Outcome;
  status: SwapStatus;
  createdAtMs: number;
  updatedAtMs: number;
  deadlineMs: number;
  fromHeight: number;
  submittedTx: string | null;
  /** Time of the first known deposit. */
  seenAtMs: number | null;
  seenAtomic: bigint;
  /** The received amount with enough confirmations. */
  depositedAtomic: bigint;
  /** The part of it that was already decided about. */
  handledAtomic: bigint;
  amountInAtomic: bigint | null;
  amountOutAtomic: bigint | null;
  refundReason: RefundReason | null;
}

export type RefundReason =
  | 'PARTIAL_DEPOSIT'
  | 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT'
  | 'AMOUNT_LESS_THAN_MIN_WITHDRAWABLE'
  | 'INTENT_SUBMIT_FAILED'
  | 'NO_LIQUIDITY'
  | 'UNKNOWN';

export type Purpose = 'delivery' | 'surplus' | 'refund' | 'late-refund' | 'gas' | 'sweep';

/** Payments that decide the outcome of a swap. The others only move funds of the solver. */
export const decisivePurposes: readonly Purpose[] = ['delivery', 'surplus', 'refund'];

export interface PlannedPayment {
  purpose: Purpose;
  asset: Asset;
  sender: 'solver' | 'deposit address';
  recipient: string;
  amountAtomic: bigint;
}

/** The next transition of a swap. A plan covers all amounts deposited so far. */
export type Transition =
  | { kind: 'status'; status: SwapStatus }
  | {
      kind: 'plan';
      status: SwapStatus;
      amountInAtomic: bigint | null;
      amountOutAtomic: bigint | null;
      refundReason: RefundReason | null;
      payments: PlannedPayment[];
    };

export interface Market {
  nowMs: number;
  termsOf(swap: Swap): SwapTerms;
  solverAddress: string;
}

const finalStatuses: readonly SwapStatus[] = ['SUCCESS', 'REFUNDED', 'FAILED'];
export const isFinal = ({ status }: Pick<Swap, 'status'>): boolean => finalStatuses.includes(status);

/** Returns undefined while the swap waits. */
export function nextTransition(swap: Swap, market: Market): Transition | undefined {
  const { outcome, depositedAtomic, handledAtomic, status } = swap;
  if (isFinal(swap)) return depositedAtomic > handledAtomic ? refundLate(swap) : undefined;
  // The payments of the swap are in progress. Their outcomes lead to the final status.
  if (handledAtomic > 0n) return undefined;
  const isCold =
    outcome === 'coldAddress' && (swap.seenAtMs === null || market.nowMs < swap.seenAtMs + coldForMs);
  if (isCold || depositedAtomic === 0n) {
    const isKnown = swap.submittedTx !== null || (!isCold && swap.seenAtomic > 0n);
    return statusTransition(status, isKnown ? 'KNOWN_DEPOSIT_TX' : 'PENDING_DEPOSIT');
  }
  const isEnough = depositedAtomic >= BigInt(swap.response.quote.minAmountIn);
  if (market.nowMs >= swap.deadlineMs) return refund(swap, isEnough ? 'UNKNOWN' : 'PARTIAL_DEPOSIT');
  if (!isEnough) return statusTransition(status, 'INCOMPLETE_DEPOSIT');
  return execute(swap, market);
}

function statusTransition(from: SwapStatus, to: SwapStatus): Transition | undefined {
  return from === to ? undefined : { kind: 'status', status: to };
}

function execute(swap: Swap, market: Market): Transition {
  const { outcome, depositedAtomic } = swap;
  if (outcome === 'failed') return { ...nothingPaid, status: 'FAILED', payments: sweepOf(swap) };
  if (outcome === 'failsAfterDeposit') return refund(swap, 'NO_LIQUIDITY');
  const fill = fillOf(swap, market.termsOf(swap));
  if (!fill) return refund(swap, 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT');
  const { amountInAtomic, amountOutAtomic } = fill;
  const { recipient } = swap.response.quoteRequest;
  const delivery: PlannedPayment = {
    purpose: 'delivery',
    asset: swap.destination,
    sender: 'solver',
    recipient: outcome === 'falseSettlement' ? market.solverAddress : recipient,
    amountAtomic: amountOutAtomic,
  };
  const surplus = depositedAtomic - amountInAtomic;
  const payments = [delivery, ...backTo(swap, 'surplus', surplus), ...sweepOf(swap)];
  return {
    kind: 'plan',
    status: 'PROCESSING',
    amountInAtomic,
    amountOutAtomic,
    refundReason: null,
    payments,
  };
}

/** Returns the amounts to accept and deliver at current prices; undefined when the prices are beyond the quote. */
function fillOf(
  { response, outcome, depositedAtomic }: Swap,
  terms: SwapTerms,
): { amountInAtomic: bigint; amountOutAtomic: bigint } | undefined {
  const { quoteRequest, quote } = response;
  let [amountIn, amountOut] = [BigInt(quote.amountIn), BigInt(quote.amountOut)];
  if (quoteRequest.swapType === 'EXACT_OUTPUT') {
    amountIn = inputFor(amountOut, terms);
    if (amountIn > depositedAtomic) return undefined;
  } else {
    if (quoteRequest.swapType === 'FLEX_INPUT') amountIn = depositedAtomic;
    amountOut = outputFor(amountIn, terms);
    if (amountOut < BigInt(quote.minAmountOut)) return undefined;
  }
  if (outcome !== 'partialFill') return { amountInAtomic: amountIn, amountOutAtomic: amountOut };
  return {
    amountInAtomic: mulDivCeil(amountIn, partialFillBps, 10_000n),
    amountOutAtomic: mulDivFloor(amountOut, partialFillBps, 10_000n),
  };
}

const nothingPaid = {
  kind: 'plan',
  amountInAtomic: null,
  amountOutAtomic: null,
  refundReason: null,
} as const;

/** Refunds the whole deposit minus the cost of the refund. */
function refund(swap: Swap, refundReason: RefundReason): Transition {
  const payments = refundPayments(swap);
  // A deposit below the cost of its refund stays with the solver.
  if (payments.length === 0) {
    const refundReason = 'AMOUNT_LESS_THAN_MIN_WITHDRAWABLE';
    return { ...nothingPaid, status: 'FAILED', refundReason, payments: sweepOf(swap) };
  }
  return { ...nothingPaid, status: swap.status, refundReason, payments: [...payments, ...sweepOf(swap)] };
}

export function refundPayments(swap: Swap): PlannedPayment[] {
  const refundFee = BigInt(swap.response.quote.refundFee ?? '0');
  return backTo(swap, 'refund', swap.depositedAtomic - refundFee);
}

function refundLate(swap: Swap): Transition {
  const { status, amountInAtomic, amountOutAtomic, refundReason } = swap;
  const refundFee = BigInt(swap.response.quote.refundFee ?? '0');
  const late = swap.depositedAtomic - swap.handledAtomic - refundFee;
  const payments = [...backTo(swap, 'late-refund', late), ...sweepOf(swap)];
  return { kind: 'plan', status, amountInAtomic, amountOutAtomic, refundReason, payments };
}

function backTo(
  { origin, response }: Swap,
  purpose: 'surplus' | 'refund' | 'late-refund',
  amountAtomic: bigint,
): PlannedPayment[] {
  if (amountAtomic <= 0n) return [];
  const recipient = response.quoteRequest.refundTo;
  return [{ purpose, asset: origin, sender: 'solver', recipient, amountAtomic }];
}

// Enough gas for many token transfers on a local node.
const sweepGasAtomic = 10n ** 16n;

/** Plans the sweep of the deposit to the solver. An address with a token needs some coins first. */
function sweepOf({ origin, depositAddress, depositKey, depositedAtomic }: Swap): PlannedPayment[] {
  if (depositKey === null) return [];
  const sweep: PlannedPayment = {
    purpose: 'sweep',
    asset: origin,
    sender: 'deposit address',
    recipient: 'solver',
    amountAtomic: depositedAtomic,
  };
  if (origin.address === null) return [sweep];
  const coin = { ...origin, address: null, symbol: origin.chain.nativeSymbol, decimals: 18 };
  const gas: PlannedPayment = {
    purpose: 'gas',
    asset: coin,
    sender: 'solver',
    recipient: depositAddress,
    amountAtomic: sweepGasAtomic,
  };
  return [gas, sweep];
}

/** Returns the terms of a pair at the given prices. */
export function termsAt(
  request: Pick<QuoteRequest, 'appFees'>,
  origin: Asset,
  destination: Asset,
  usdOf: (symbol: string) => string,
): SwapTerms {
  const from = { decimals: origin.decimals, usd: usdOf(origin.symbol) };
  const to = { decimals: destination.decimals, usd: usdOf(destination.symbol) };
  return {
    from,
    to,
    appFeeBps: (request.appFees ?? []).reduce((sum, { fee }) => sum + fee, 0),
    withdrawFeeAtomic: amountWorth(costsOf(destination.chain).withdrawUsd, to),
  };
}
