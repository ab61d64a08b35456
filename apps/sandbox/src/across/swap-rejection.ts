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

/** A rejection in Across's own format. Unknown tokens and rate limits have no code there. */
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
