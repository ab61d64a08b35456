import { ProviderError } from '@tollbridge/http';
import { RouteRejection, type RejectionReason } from '../cross-chain-routes';
import { tableOf } from '../wire-fields';

/** Rejection reasons by Across's error code. */
const rejections = tableOf<RejectionReason>({
  AMOUNT_TOO_LOW: 'belowMinimum',
  AMOUNT_TOO_HIGH: 'noLiquidity',
  SWAP_LIQUIDITY_INSUFFICIENT: 'noLiquidity',
  SWAP_QUOTE_UNAVAILABLE: 'noLiquidity',
  SWAP_SLIPPAGE_INSUFFICIENT: 'noLiquidity',
  ROUTE_NOT_ENABLED: 'noRoute',
  SWAP_TYPE_NOT_GUARANTEED: 'noRoute',
  SIMULATION_ERROR: 'noRoute',
});

/**
 * Rejection reasons for invalid parameters that the caller of this adapter chooses. Any other invalid parameter is a
 * bug of the adapter.
 */
const rejectedParams = tableOf<RejectionReason>({
  inputToken: 'noRoute',
  outputToken: 'noRoute',
  originChainId: 'noRoute',
  destinationChainId: 'noRoute',
  recipient: 'badRecipient',
});

/** Codes of failures of Across itself, with any HTTP status. */
const transient = new Set([
  'UNEXPECTED_ERROR',
  'UPSTREAM_RPC_ERROR',
  'UPSTREAM_HTTP_ERROR',
  'UPSTREAM_GATEWAY_TIMEOUT',
]);

/** Maps a quote error to a rejection or a more precise error. Returns undefined for all other errors. */
export function toRejection(error: unknown): RouteRejection | ProviderError | undefined {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return undefined;
  const { type, code, param } = (error.body ?? {}) as { type?: unknown; code?: unknown; param?: unknown };
  if (transient.has(String(code))) {
    const message = 'reported an error of its own as a rejection';
    return new ProviderError(error.provider, { kind: 'unavailable', message, cause: error });
  }
  const reason = rejections.get(String(code));
  if (reason) return new RouteRejection(reason);
  // A 404 with this type means an unknown token. Without it, the URL is wrong.
  if (error.status === 404 && type === 'AcrossApiError') return new RouteRejection('noRoute');
  const badParam = code === 'INVALID_PARAM' ? rejectedParams.get(String(param)) : undefined;
  return badParam && new RouteRejection(badParam);
}
