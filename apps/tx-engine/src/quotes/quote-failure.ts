import { DomainError } from '@tollbridge/rpc';
import { formatUnits } from '@tollbridge/money';
import { ProviderError } from '@tollbridge/http';
import { RouteRejection, type RouteToken } from '@tollbridge/routing';

/** Maps a provider's failure to the API's error. @throws `error` itself if it did not come from a provider */
export function providerFailure(error: unknown, to: RouteToken): DomainError {
  if (error instanceof RouteRejection) return rejection(error, to);
  const isTimeout = (error as Error | null)?.name === 'TimeoutError';
  if (!(error instanceof ProviderError) && !isTimeout) throw error;
  return new DomainError(
    'UPSTREAM_UNAVAILABLE',
    'The providers of this pair do not answer. Retry after a few seconds.',
    {
      cause: error,
    },
  );
}

/** Maps a failure to build a quoted route. The route was available when it was quoted. */
export function buildFailure(error: unknown, to: RouteToken): DomainError {
  const failure = providerFailure(error, to);
  if (failure.code !== 'ROUTE_UNAVAILABLE') return failure;
  const message = 'The route of the quote is no longer available. Request a new quote.';
  return new DomainError('QUOTE_UNAVAILABLE', message, { details: failure.details });
}

function rejection({ reason, minimum }: RouteRejection, to: RouteToken): DomainError {
  const details = { reason };
  switch (reason) {
    case 'noRoute':
      return new DomainError(
        'ROUTE_UNAVAILABLE',
        'No provider supports this pair. Choose another token or chain.',
        { details },
      );
    case 'belowMinimum': {
      const least =
        minimum && 'amountOutAtomic' in minimum
          ? `${formatUnits(minimum.amountOutAtomic, to.decimals)} ${to.symbol}`
          : minimum && `$${minimum.usd}`;
      const sentence = least
        ? `The amount is below the minimum of ${least}. Send at least that.`
        : 'The amount is below the minimum of the provider. Send more.';
      return new DomainError('QUOTE_UNAVAILABLE', sentence, { details });
    }
    case 'aboveMaximum':
      return new DomainError(
        'QUOTE_UNAVAILABLE',
        'The amount is more than a transfer on the chain carries. Send less.',
        { details },
      );
    case 'badRecipient':
    case 'badRefundAddress':
      return new DomainError(
        'QUOTE_UNAVAILABLE',
        'No provider can pay this recipient. Choose another recipient.',
        { details },
      );
    case 'noLiquidity':
      return new DomainError(
        'QUOTE_UNAVAILABLE',
        'The liquidity is too low for this amount at present. Send less, or retry later.',
        {
          details,
        },
      );
    case 'priceMoved':
      return new DomainError(
        'QUOTE_UNAVAILABLE',
        'The rate moved further than slippageBps allows. Request a new quote.',
        {
          details,
        },
      );
  }
}
