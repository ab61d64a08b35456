import type { CrossChainFee } from '@tollbridge/contracts';
import { feeAccountOf, sampleAddress, type Chain, type Token } from '@tollbridge/chains';
import { bpsPerWhole, mulDivCeil } from '@tollbridge/money';
import type { RouteRequest, RouteToken } from '@tollbridge/routing';
import type { CrossChainRoute } from '../chains/deployments';
import type { OrderTerms } from '../orders/order';

/** The time for a last-minute deposit to be mined: a Bitcoin transaction may take an hour. */
const marginMs = 2 * 60 * 60_000;
const slowBlockMs = 60_000;
const slowMarginMs = 4 * 60 * 60_000;

export interface RouteSettings {
  slippageBps: number;
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

/** The account for the fee of an order. Null without a fee; undefined when no account can receive the fee. */
export function feeOf(
  { feeAmount, feeReceiver }: Pick<OrderTerms, 'feeAmount' | 'feeReceiver'>,
  { settleChain }: Pick<CrossChainRoute, 'settleChain'>,
  operatorAccount: string,
): CrossChainFee | null | undefined {
  if (feeAmount === 0n) return null;
  const own = feeAccountOf(settleChain, feeReceiver);
  const amount = String(feeAmount);
  const inside = 'The route provider credits fees inside NEAR Intents';
  if (own !== undefined) {
    const reason = `${inside}. The key of fee_receiver controls this account, and withdraws the fee to any chain.`;
    return { amount, paid_to: 'fee_receiver', account: own, reason };
  }
  if (operatorAccount === '') return undefined;
  const reason = `${inside}, and an address on ${settleChain.name} does not reveal the key of an account there. The account of the operator receives the fee, for the operator to pass on to fee_receiver.`;
  return { amount, paid_to: 'operator', account: operatorAccount, reason };
}

/** The route request of an order. */
export function orderRequest(
  terms: OrderTerms,
  route: CrossChainRoute,
  { slippageBps }: RouteSettings,
  fee: CrossChainFee | null,
): RouteRequest {
  return {
    ...tokensOf(route),
    amountOutAtomic: terms.merchantAmount,
    slippageBps,
    recipient: terms.merchantAddress,
    refundTo: terms.payerAddress,
    deadline: depositDeadline(terms.expiresAtMs, route.payChain),
    ...(fee && { fee: { account: fee.account, bps: feeBps(terms) } }),
  };
}

/** The deadline of the deposit, which is always later than the expiry of the order. */
export function depositDeadline(expiresAtMs: number, { blockTimeMs }: Pick<Chain, 'blockTimeMs'>): Date {
  return new Date(expiresAtMs + (blockTimeMs >= slowBlockMs ? slowMarginMs : marginMs));
}

/**
 * The fee in whole basis points of the delivered amount. Rounded up, so that the receiver never gets less than the fee.
 */
export function feeBps({
  feeAmount,
  merchantAmount,
}: Pick<OrderTerms, 'feeAmount' | 'merchantAmount'>): number {
  return Number(mulDivCeil(feeAmount, bpsPerWhole, merchantAmount));
}

function tokensOf({ payChain, payToken, settleChain, settleToken }: CrossChainRoute) {
  return { from: routeToken(payChain, payToken), to: routeToken(settleChain, settleToken) };
}

function routeToken({ id: chain }: Chain, { symbol, address, decimals }: Token): RouteToken {
  return { chain, symbol, address, decimals };
}
