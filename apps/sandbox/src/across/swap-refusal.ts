export type RefusalCode =
  | 'INVALID_PARAM'
  | 'MISSING_PARAM'
  | 'AMOUNT_TOO_LOW'
  | 'AMOUNT_TOO_HIGH'
  | 'ROUTE_NOT_ENABLED'
  | 'SWAP_LIQUIDITY_INSUFFICIENT'
  | 'SWAP_QUOTE_UNAVAILABLE'
  | 'SWAP_TYPE_NOT_GUARANTEED'
  | 'INVALID_METHOD'
  | 'UPSTREAM_RPC_ERROR'
  | 'UNEXPECTED_ERROR';

/** A refusal in the words of Across. An unknown token and too many requests have no code there. */
export class SwapRefusal extends Error {
  constructor(
    readonly code: RefusalCode | undefined,
    message: string,
    readonly status = 400,
    readonly param?: string,
  ) {
    super(message);
  }
}
