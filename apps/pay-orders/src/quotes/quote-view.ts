import type { QuoteReply } from '@tollbridge/contracts';
import { formatUnits, rateOf } from '@tollbridge/money';
import type { RouteQuote } from '@tollbridge/routing';
import type { CrossChainRoute, DirectRoute } from '../chains/deployments';
import type { TokenPrices } from '../prices/token-prices';

type Values = Pick<TokenPrices, 'value'>;

/** A quote of one to one: the merchant receives the amount that the payer pays. */
export function directQuote(
  { adapter, chain, token }: DirectRoute,
  amount: bigint,
  expiresAtMs: number,
  prices: Values,
): QuoteReply {
  const formatted = formatUnits(amount, token.decimals);
  const usd = prices.value(chain.id, token, amount);
  return {
    method: 'Direct',
    pay_amount: String(amount),
    pay_amount_formatted: formatted,
    pay_amount_usd: usd,
    receive_amount: String(amount),
    receive_amount_formatted: formatted,
    receive_amount_usd: usd,
    estimated_time: Math.ceil(adapter.settlementMs / 1_000),
    exchange_rate: '1',
    slippage_bps: 0,
    expires_at: new Date(expiresAtMs).toISOString(),
  };
}

/** The paid amount includes the slippage. The received amount is the requested one. */
export function crossChainQuote(
  { payChain, payToken, settleChain, settleToken }: CrossChainRoute,
  quote: RouteQuote,
  amount: bigint,
  { slippageBps, expiresAtMs }: { slippageBps: number; expiresAtMs: number },
  prices: Values,
): QuoteReply {
  const pay = quote.amountInAtomic;
  return {
    method: 'CrossChain',
    pay_amount: String(pay),
    pay_amount_formatted: formatUnits(pay, payToken.decimals),
    pay_amount_usd: prices.value(payChain.id, payToken, pay),
    receive_amount: String(amount),
    receive_amount_formatted: formatUnits(amount, settleToken.decimals),
    receive_amount_usd: prices.value(settleChain.id, settleToken, amount),
    estimated_time: quote.estimatedSeconds,
    exchange_rate: rateOf(amount, settleToken.decimals, pay, payToken.decimals),
    slippage_bps: slippageBps,
    expires_at: new Date(expiresAtMs).toISOString(),
  };
}
