import { SwapRejection, type RejectionCode } from '../across/swap-rejection';
import type { UnavailableRoutes } from './wire';

/** Error codes of the API. */
export const lifiCodes = {
  noQuote: 1002,
  notFound: 1003,
  rateLimit: 1005,
  server: 1006,
  slippage: 1007,
  validation: 1011,
  rpcFailure: 1012,
} as const;

/** A rejection in LI.FI's own format. */
export class LifiRejection extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly errors?: UnavailableRoutes,
  ) {
    super(message);
  }
}

/** Reason codes of LI.FI's tools for the rejections of the bridge. */
const toolCodes: Partial<Record<RejectionCode, string>> = {
  AMOUNT_TOO_LOW: 'AMOUNT_TOO_LOW',
  AMOUNT_TOO_HIGH: 'AMOUNT_TOO_HIGH',
  SWAP_LIQUIDITY_INSUFFICIENT: 'INSUFFICIENT_LIQUIDITY',
  SWAP_QUOTE_UNAVAILABLE: 'NO_POSSIBLE_ROUTE',
  ROUTE_NOT_ENABLED: 'NO_POSSIBLE_ROUTE',
};

/** Converts a rejection to LI.FI's format. Returns undefined for other errors. */
export function toLifiRejection(error: unknown, action: unknown, tool: string): LifiRejection | undefined {
  if (error instanceof LifiRejection) return error;
  if (!(error instanceof SwapRejection)) return undefined;
  const { code, status, message } = error;
  const toolCode = code && toolCodes[code];
  if (toolCode) {
    const toolError = { errorType: 'NO_QUOTE', code: toolCode, action, tool, message } as const;
    const errors = { filteredOut: [], failed: [{ overallPath: tool, subpaths: { [tool]: [toolError] } }] };
    const words = 'No available quotes for the requested transfer';
    return new LifiRejection(404, lifiCodes.noQuote, words, errors);
  }
  if (status === 429) return new LifiRejection(429, lifiCodes.rateLimit, 'Rate limit exceeded');
  if (code === 'UPSTREAM_RPC_ERROR') return new LifiRejection(424, lifiCodes.rpcFailure, message);
  if (status >= 500) return new LifiRejection(500, lifiCodes.server, 'Internal server error');
  return new LifiRejection(status, status === 404 ? lifiCodes.notFound : lifiCodes.validation, message);
}
