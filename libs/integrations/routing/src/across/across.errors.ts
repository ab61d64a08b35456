import { ProviderError } from '@tollbridge/http';
import { RouteRefusal, type RefusalReason } from '../cross-chain-routes';
import { tableOf } from '../wire-fields';

/** Its codes for what it will not carry. */
const refusals = tableOf<RefusalReason>({
  AMOUNT_TOO_LOW: 'belowMinimum',
  AMOUNT_TOO_HIGH: 'noLiquidity',
  SWAP_LIQUIDITY_INSUFFICIENT: 'noLiquidity',
  SWAP_QUOTE_UNAVAILABLE: 'noLiquidity',
  SWAP_SLIPPAGE_INSUFFICIENT: 'noLiquidity',
  ROUTE_NOT_ENABLED: 'noRoute',
  SWAP_TYPE_NOT_GUARANTEED: 'noRoute',
  SIMULATION_ERROR: 'noRoute',
});

/** Whose fault a parameter is that it does not take; of all others it is ours. */
const refusedParams = tableOf<RefusalReason>({
  inputToken: 'noRoute',
  outputToken: 'noRoute',
  originChainId: 'noRoute',
  destinationChainId: 'noRoute',
  recipient: 'badRecipient',
});

/** Its own trouble, with whatever status it is answered. */
const transient = new Set([
  'UNEXPECTED_ERROR',
  'UPSTREAM_RPC_ERROR',
  'UPSTREAM_HTTP_ERROR',
  'UPSTREAM_GATEWAY_TIMEOUT',
]);

/** The refusal that an error of a quote stands for, or a better error; undefined for all others. */
export function asRefusal(error: unknown): RouteRefusal | ProviderError | undefined {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return undefined;
  const { type, code, param } = (error.body ?? {}) as { type?: unknown; code?: unknown; param?: unknown };
  if (transient.has(String(code))) {
    const message = 'answered a refusal for an error of its own';
    return new ProviderError(error.provider, { kind: 'unavailable', message, cause: error });
  }
  const reason = refusals.get(String(code));
  if (reason) return new RouteRefusal(reason);
  // It does not know a token. Without its own words nothing was found at all: the URL is wrong.
  if (error.status === 404 && type === 'AcrossApiError') return new RouteRefusal('noRoute');
  const badParam = code === 'INVALID_PARAM' ? refusedParams.get(String(param)) : undefined;
  return badParam && new RouteRefusal(badParam);
}
