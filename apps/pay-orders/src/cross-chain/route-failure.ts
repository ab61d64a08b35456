import { formatUnits } from '@tollbridge/money';
import { usdValue } from '@tollbridge/prices';
import { ProviderError } from '@tollbridge/providers';
import { RouteRefusal } from '@tollbridge/routing';
import { noRoute, type CrossChainRoute } from '../chains/deployments';

/** Why there is no quote, for people. */
export interface QuoteFailure {
  sentence: string;
  /** The least that can be paid this way, in dollars, where it is known. */
  minUsd: string | null;
  /** The same in the smallest unit of the settle token. */
  minSettleAtomic: bigint | null;
  /** The provider refused; otherwise it may be tried again. */
  isRefused: boolean;
}

/**
 * @param settlePriceUsd dollars for one settle token, where a recent price is known
 * @throws the error itself when it is none of the provider's
 */
export function failureOf(
  error: unknown,
  route: CrossChainRoute,
  settlePriceUsd: string | undefined,
): QuoteFailure {
  if (error instanceof RouteRefusal) return refusalOf(error, route, settlePriceUsd);
  const isTimeout = (error as Error | null)?.name === 'TimeoutError';
  if (!(error instanceof ProviderError) && !isTimeout) throw error;
  const sentence = 'The rate cannot be had at present; try again shortly.';
  return { sentence, minUsd: null, minSettleAtomic: null, isRefused: false };
}

function refusalOf(
  { reason, minimum }: RouteRefusal,
  route: CrossChainRoute,
  priceUsd: string | undefined,
): QuoteFailure {
  const failure = { minUsd: null, minSettleAtomic: null, isRefused: true };
  const { settleToken, settleChain, payChain } = route;
  switch (reason) {
    case 'noRoute':
      return { ...failure, sentence: noRoute(route) };
    case 'noLiquidity':
      return { ...failure, sentence: 'There is not enough liquidity for this amount at present.' };
    case 'priceMoved':
      return { ...failure, sentence: 'The rate has moved since it was quoted.' };
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
      sentence: `The least that can be paid this way is $${minimum.usd}.`,
      minUsd: minimum.usd,
    };
  }
  const least = minimum?.amountOutAtomic ?? null;
  if (least === null) return { ...failure, sentence: 'The amount is too small for this route.' };
  const shown = `${formatUnits(least, settleToken.decimals)} ${settleToken.symbol}`;
  const minUsd = priceUsd === undefined ? null : usdValue(least, settleToken.decimals, priceUsd);
  return {
    ...failure,
    sentence: `The least that can be paid this way is ${shown}.`,
    minUsd,
    minSettleAtomic: least,
  };
}
