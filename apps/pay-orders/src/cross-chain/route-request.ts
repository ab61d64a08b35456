import { feeAccountOf, sampleAddress, type Chain, type Token } from '@tollbridge/chains';
import { BPS_PER_WHOLE, mulDivCeil } from '@tollbridge/money';
import type { RouteRequest, RouteToken } from '@tollbridge/routing';
import type { CrossChainRoute } from '../chains/deployments';
import type { OrderTerms } from '../orders/order';

/** Time for a deposit that is sent at the last moment to be mined: a Bitcoin transaction may take an hour. */
const marginMs = 2 * 60 * 60_000;
const slowBlockMs = 60_000;
const slowMarginMs = 4 * 60 * 60_000;

export interface RouteSettings {
  slippageBps: number;
  /** Receives fees where the fee receiver has no account with the provider. */
  feeAccount: string;
}

/** A request for a price before payer and merchant are known, with sample addresses. */
export function previewRequest(
  route: CrossChainRoute,
  amountOutAtomic: bigint,
  deadline: Date,
  { slippageBps }: RouteSettings,
): RouteRequest {
  return {
    ...tokensOf(route),
    amountOutAtomic,
    slippageBps,
    recipient: sampleAddress(route.settleChain),
    refundTo: sampleAddress(route.payChain),
    deadline,
  };
}

/** The route request of an order, or the reason why its fee cannot be paid. */
export function orderRequest(
  terms: OrderTerms,
  route: CrossChainRoute,
  { slippageBps, feeAccount }: RouteSettings,
): RouteRequest | { reason: string } {
  const account = feeAccountOf(route.settleChain, terms.feeReceiver) ?? (feeAccount || undefined);
  if (terms.feeAmount > 0n && !account)
    return { reason: `A fee cannot be paid to an address on ${route.settleChain.name}; take fee_amount 0.` };
  return {
    ...tokensOf(route),
    amountOutAtomic: terms.merchantAmount,
    slippageBps,
    recipient: terms.merchantAddress,
    refundTo: terms.payerAddress,
    deadline: depositDeadline(terms.expiresAtMs, route.payChain),
    ...(terms.feeAmount > 0n && account && { fee: { account, bps: feeBps(terms) } }),
  };
}

/** Always later than the expiry of the order. */
export function depositDeadline(expiresAtMs: number, { blockTimeMs }: Pick<Chain, 'blockTimeMs'>): Date {
  return new Date(expiresAtMs + (blockTimeMs >= slowBlockMs ? slowMarginMs : marginMs));
}

/** In whole basis points of the delivered amount, rounded up: the fee receiver never gets less than the fee. */
export function feeBps({
  feeAmount,
  merchantAmount,
}: Pick<OrderTerms, 'feeAmount' | 'merchantAmount'>): number {
  return Number(mulDivCeil(feeAmount, BPS_PER_WHOLE, merchantAmount));
}

function tokensOf({ payChain, payToken, settleChain, settleToken }: CrossChainRoute) {
  return { from: routeToken(payChain, payToken), to: routeToken(settleChain, settleToken) };
}

function routeToken({ id: chain }: Chain, { symbol, address, decimals }: Token): RouteToken {
  return { chain, symbol, address, decimals };
}
