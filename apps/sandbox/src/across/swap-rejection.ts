export type RejectionCode =
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

/** A rejection in the format of Across. Across has no codes for unknown tokens and rate limits. */
export class SwapRejection extends Error {
  constructor(
    readonly code: RejectionCode | undefined,
    message: string,
    readonly status = 400,
    readonly param?: string,
  ) {
    super(message);
  }
}
