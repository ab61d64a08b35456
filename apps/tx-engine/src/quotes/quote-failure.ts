import { DomainError } from '@tollbridge/bus';
import { formatUnits } from '@tollbridge/money';
import { ProviderError } from '@tollbridge/providers';
import { RouteRefusal, type RouteToken } from '@tollbridge/routing';

/** What a caller is told when no provider quotes or builds. @throws the error itself when it is none of a provider's */
export function providerFailure(error: unknown, to: RouteToken): DomainError {
  if (error instanceof RouteRefusal) return refusal(error, to);
  const isTimeout = (error as Error | null)?.name === 'TimeoutError';
  if (!(error instanceof ProviderError) && !isTimeout) throw error;
  return new DomainError(
    'UPSTREAM_UNAVAILABLE',
    'Whoever could carry this does not answer; try again shortly.',
    {
      cause: error,
    },
  );
}

/** The same of a build: what was quoted a minute ago had a way. */
export function buildFailure(error: unknown, to: RouteToken): DomainError {
  const failure = providerFailure(error, to);
  if (failure.code !== 'ROUTE_UNAVAILABLE') return failure;
  const message = 'The way of the quote is not there any more; ask for a new quote.';
  return new DomainError('QUOTE_UNAVAILABLE', message, { details: failure.details });
}

function refusal({ reason, minimum }: RouteRefusal, to: RouteToken): DomainError {
  const details = { reason };
  switch (reason) {
    case 'noRoute':
      return new DomainError('ROUTE_UNAVAILABLE', 'Nobody carries this token into that token.', { details });
    case 'belowMinimum': {
      const least =
        minimum && 'amountOutAtomic' in minimum
          ? `${formatUnits(minimum.amountOutAtomic, to.decimals)} ${to.symbol}`
          : minimum && `$${minimum.usd}`;
      const sentence = least
        ? `The least that can be swapped is ${least}.`
        : 'The amount is too small for this way.';
      return new DomainError('QUOTE_UNAVAILABLE', sentence, { details });
    }
    case 'badRecipient':
    case 'badRefundAddress':
      return new DomainError('QUOTE_UNAVAILABLE', 'The recipient cannot be paid this way.', { details });
    case 'noLiquidity':
      return new DomainError(
        'QUOTE_UNAVAILABLE',
        'There is not enough liquidity for this amount at present.',
        {
          details,
        },
      );
    case 'priceMoved':
      return new DomainError(
        'QUOTE_UNAVAILABLE',
        'The rate has moved further than the slippage allows; ask for a new quote.',
        {
          details,
        },
      );
  }
}
