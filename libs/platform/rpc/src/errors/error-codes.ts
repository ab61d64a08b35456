/**
 * Every error code of a reply, with its HTTP status and its default message. The set is closed, so that
 * clients can handle every code.
 */
export const errorCodes = {
  VALIDATION_ERROR: [400, 'The request is not valid. details names each bad field.'],
  MALFORMED_JSON: [400, 'The body is not valid JSON.'],
  INVALID_SIGNATURE: [
    400,
    'The signature does not match the built transaction and its userAddress. Sign exactly what build returned.',
  ],
  UNAUTHORIZED: [401, 'Credentials are missing or not valid.'],
  FORBIDDEN: [403, 'The API key or wallet does not have permission for this operation.'],
  BUDGET_EXCEEDED: [
    403,
    'The amount exceeds what is left of the monthly budget of the API key. Raise monthlyBudget, or wait for next month.',
  ],
  MAX_PER_TX_EXCEEDED: [403, 'The amount exceeds maxPerTx of the API key. Send less, or raise maxPerTx.'],
  SECOND_KEY_REQUIRED: [
    403,
    'The API key that submitted the payout cannot approve it. Use another key of the same wallet.',
  ],
  INVALID_QUOTE: [404, 'The quote does not exist. Request a new quote.'],
  NOT_FOUND: [404, 'The resource does not exist. Check its id.'],
  METHOD_NOT_ALLOWED: [
    405,
    'This path does not support this method. The Allow header lists those that it does.',
  ],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time. Send it again, without pauses.'],
  CONFLICT: [409, 'The request conflicts with the current state of the resource. Read the resource first.'],
  ORDER_NOT_WAITING: [409, 'The order does not exist or is not waiting for a payment.'],
  TX_ALREADY_REPORTED: [409, 'The transaction has already been reported for another order. Check tx_hash.'],
  IDEMPOTENCY_IN_PROGRESS: [
    409,
    'A request with this Idempotency-Key is still being processed. Repeat it after retryAfter seconds.',
  ],
  QUOTE_EXPIRED: [410, 'The quote has expired. Request a new quote.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than 256 KiB. Send less at once.'],
  URI_TOO_LONG: [414, 'The URL or a parameter in it is too long.'],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    'The Content-Type of the body is not supported. Send the body as application/json.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    'This Idempotency-Key was used for another request. Use a new key for each new request.',
  ],
  PURCHASE_REFUSED: [422, 'The provider declined the purchase. details has its reason.'],
  ROUTE_UNAVAILABLE: [422, 'No provider supports this pair of tokens. Choose another pay token or chain.'],
  INSUFFICIENT_BALANCE: [
    422,
    'The balance is too low. Deposit first, or withdraw less. details has what is needed and what is available.',
  ],
  INSUFFICIENT_ALLOWANCE: [
    422,
    'The token allowance is too low. Raise it, or send the approval that build returns.',
  ],
  GAS_LIMIT_EXCEEDED: [
    422,
    'The transaction needs more gas than gasLimit allows. Raise gasLimit, or build again.',
  ],
  DEADLINE_EXCEEDED: [422, 'The deadline has passed. Build again, with a later deadline.'],
  TRANSACTION_FAILED: [422, 'The transaction fails on the chain. details has the reason.'],
  UPGRADE_REQUIRED: [426, 'This URL is a WebSocket. Connect with ws:// or wss://.'],
  HEADERS_TOO_LARGE: [431, 'The URL and the headers are larger than 16 KiB together. Send shorter headers.'],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests. Retry after retryAfter seconds.'],
  TOO_MANY_SUBSCRIPTIONS: [
    429,
    'The socket has the maximum number of subscriptions. Unsubscribe from one first.',
  ],
  INTERNAL_ERROR: [500, 'Internal error. Quote request_id when you report it.'],
  QUOTE_UNAVAILABLE: [
    502,
    'No provider returns a quote for this pair at present. Retry later, or choose another pair.',
  ],
  UPSTREAM_UNAVAILABLE: [502, 'A provider that this operation needs does not answer. Retry later.'],
  SERVICE_UNAVAILABLE: [503, 'The service is not reachable at present. Retry after retryAfter seconds.'],
  RATE_UNAVAILABLE: [
    503,
    'No recent exchange rate of this currency and token is known. Retry later, or send an amount of the token.',
  ],
  OUTCOME_UNKNOWN: [
    504,
    'The service did not answer in time, so the outcome is unknown. Read the resource before you repeat the call, or repeat it with the same Idempotency-Key.',
  ],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof errorCodes;

export function statusOf(code: ErrorCode): number {
  return errorCodes[code][0];
}
