import { SwapRefusal, type RefusalCode } from '../across/swap-refusal';
import type { UnavailableRoutes } from './wire';

/** The API's own codes. */
export const lifiCodes = {
  noQuote: 1002,
  notFound: 1003,
  rateLimit: 1005,
  server: 1006,
  slippage: 1007,
  validation: 1011,
  rpcFailure: 1012,
} as const;

/** A refusal in the words of LI.FI. */
export class LifiRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly errors?: UnavailableRoutes,
  ) {
    super(message);
  }
}

/** What its tools say for why they have no quote, by what the bridge says. */
const toolCodes: Partial<Record<RefusalCode, string>> = {
  AMOUNT_TOO_LOW: 'AMOUNT_TOO_LOW',
  AMOUNT_TOO_HIGH: 'AMOUNT_TOO_HIGH',
  SWAP_LIQUIDITY_INSUFFICIENT: 'INSUFFICIENT_LIQUIDITY',
  SWAP_QUOTE_UNAVAILABLE: 'NO_POSSIBLE_ROUTE',
  ROUTE_NOT_ENABLED: 'NO_POSSIBLE_ROUTE',
};

/** The same refusal as this provider words it; undefined for other errors. */
export function asLifiRefusal(error: unknown, action: unknown, tool: string): LifiRefusal | undefined {
  if (error instanceof LifiRefusal) return error;
  if (!(error instanceof SwapRefusal)) return undefined;
  const { code, status, message } = error;
  const toolCode = code && toolCodes[code];
  if (toolCode) {
    const toolError = { errorType: 'NO_QUOTE', code: toolCode, action, tool, message } as const;
    const errors = { filteredOut: [], failed: [{ overallPath: tool, subpaths: { [tool]: [toolError] } }] };
    const words = 'No available quotes for the requested transfer';
    return new LifiRefusal(404, lifiCodes.noQuote, words, errors);
  }
  if (status === 429) return new LifiRefusal(429, lifiCodes.rateLimit, 'Rate limit exceeded');
  if (code === 'UPSTREAM_RPC_ERROR') return new LifiRefusal(424, lifiCodes.rpcFailure, message);
  if (status >= 500) return new LifiRefusal(500, lifiCodes.server, 'Internal server error');
  return new LifiRefusal(status, status === 404 ? lifiCodes.notFound : lifiCodes.validation, message);
}
