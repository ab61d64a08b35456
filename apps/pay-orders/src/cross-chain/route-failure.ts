import { amountError } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import { usdValue } from '@tollbridge/prices';
import { ProviderError } from '@tollbridge/http';
import { RouteRejection, type RouteQuote } from '@tollbridge/routing';
import { noRoute, type CrossChainRoute } from '../chains/deployments';

/** @throws RouteRejection when a transfer of the pay token cannot carry the provider's amount */
export function requireCarried(
  { payChain, payToken }: Pick<CrossChainRoute, 'payChain' | 'payToken'>,
  { amountInAtomic }: Pick<RouteQuote, 'amountInAtomic'>,
): void {
  if (amountError(payChain, payToken, amountInAtomic)) throw new RouteRejection('aboveMaximum');
}

/** The reason for a missing quote. */
export interface QuoteFailure {
  sentence: string;
  /** The minimum in dollars; null when it is unknown. */
  minUsd: string | null;
  /** The minimum in the smallest unit of the settle token. */
  minSettleAtomic: bigint | null;
  /** Whether the provider rejected the request. Otherwise a retry may succeed. */
  isRejected: boolean;
}

/**
 * @param settlePriceUsd the price of one settle token in dollars, if a recent one is available
 * @throws the error itself when it did not come from the provider
 */
export function failureOf(
  error: unknown,
  route: CrossChainRoute,
  settlePriceUsd: string | undefined,
): QuoteFailure {
  if (error instanceof RouteRejection) return rejectionOf(error, route, settlePriceUsd);
  const isTimeout = (error as Error | null)?.name === 'TimeoutError';
  if (!(error instanceof ProviderError) && !isTimeout) throw error;
  const sentence = 'The provider returns no rate at present. Retry in a few seconds.';
  return { sentence, minUsd: null, minSettleAtomic: null, isRejected: false };
}

function rejectionOf(
  { reason, minimum }: RouteRejection,
  route: CrossChainRoute,
  priceUsd: string | undefined,
): QuoteFailure {
  const failure = { minUsd: null, minSettleAtomic: null, isRejected: true };
  const { settleToken, settleChain, payToken, payChain } = route;
  switch (reason) {
    case 'noRoute':
      return { ...failure, sentence: noRoute(route) };
    case 'noLiquidity':
      return {
        ...failure,
        sentence: 'The liquidity is too low for this amount at present. Send less, or retry later.',
      };
    case 'priceMoved':
      return { ...failure, sentence: 'The rate has moved since the quote. Request a new quote.' };
    case 'aboveMaximum':
      return {
        ...failure,
        sentence: `The payment would be more than a transfer of ${payToken.symbol} on ${payChain.name} carries. Ask for a smaller amount, or pay in another token.`,
      };
    case 'badRecipient':
      return { ...failure, sentence: `The merchant's address cannot be paid on ${settleChain.name}.` };
    case 'badRefundAddress':
      return { ...failure, sentence: `The payer's address cannot take a refund on ${payChain.name}.` };
    case 'belowMinimum':
      break;
  }
  if (minimum && 'usd' in minimum) {
    return {
      ...failure,
      sentence: `The amount is below the minimum of $${minimum.usd}. Pay at least that.`,
      minUsd: minimum.usd,
    };
  }
  const least = minimum?.amountOutAtomic ?? null;
  if (least === null)
    return { ...failure, sentence: 'The amount is below the minimum of this route. Pay more.' };
  const shown = `${formatUnits(least, settleToken.decimals)} ${settleToken.symbol}`;
  const minUsd = priceUsd === undefined ? null : usdValue(least, settleToken.decimals, priceUsd);
  return {
    ...failure,
    sentence: `The amount is below the minimum of ${shown}. Pay at least that.`,
    minUsd,
    minSettleAtomic: least,
  };
}
