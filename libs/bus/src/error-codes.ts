/**
 * Every error code that a reply can carry, with its HTTP status and the sentence shown when the code that failed
 * has nothing more exact to say. The set is closed: clients may switch over it.
 */
export const errorCodes = {
  VALIDATION_ERROR: [400, 'The request is not valid; see details.'],
  MALFORMED_JSON: [400, 'The body is not valid JSON.'],
  INVALID_SIGNATURE: [400, 'A signature is not one of the built transaction by its signer; sign again.'],
  UNAUTHORIZED: [401, 'Credentials are missing or not valid.'],
  FORBIDDEN: [403, 'These credentials do not allow this call.'],
  BUDGET_EXCEEDED: [403, 'This would exceed the monthly budget of the key.'],
  MAX_PER_TX_EXCEEDED: [403, 'This exceeds what the key may spend at once.'],
  SECOND_KEY_REQUIRED: [403, 'Who submitted this cannot approve it: use another key of the wallet.'],
  INVALID_QUOTE: [404, 'There is no such quote; ask for a new one.'],
  NOT_FOUND: [404, 'Nothing is found here.'],
  METHOD_NOT_ALLOWED: [405, 'This path does not answer this method; see the Allow header.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  CONFLICT: [409, 'The request conflicts with the present state.'],
  ORDER_NOT_WAITING: [409, 'The order does not exist or is not waiting for a payment.'],
  TX_ALREADY_REPORTED: [409, 'This transaction has already been reported for another order.'],
  IDEMPOTENCY_IN_PROGRESS: [
    409,
    'A request with this Idempotency-Key is still being served; repeat this one after retryAfter seconds.',
  ],
  QUOTE_EXPIRED: [410, 'The quote has expired; ask for a new one.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than 256 KiB.'],
  URI_TOO_LONG: [414, 'The address or a parameter in it is too long.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as application/json.'],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    'This Idempotency-Key was used for another request; take a new key for each new request.',
  ],
  PURCHASE_REFUSED: [422, 'The provider did not do this; details has its reason.'],
  ROUTE_UNAVAILABLE: [422, 'This token cannot be paid into that token.'],
  INSUFFICIENT_BALANCE: [422, 'The balance is too low; see details.'],
  INSUFFICIENT_ALLOWANCE: [422, 'The token allowance is too low; raise it, or let an approval be built.'],
  GAS_LIMIT_EXCEEDED: [
    422,
    'The transaction costs more gas than the limit allows; raise it, or build again.',
  ],
  DEADLINE_EXCEEDED: [422, 'The deadline has passed; set a later one, or build again.'],
  TRANSACTION_FAILED: [422, 'The transaction fails on the chain; see details.'],
  UPGRADE_REQUIRED: [426, 'This address is a WebSocket; connect with ws:// or wss://.'],
  HEADERS_TOO_LARGE: [431, 'The address and the headers are larger than 16 KiB together.'],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests; wait for retryAfter seconds.'],
  TOO_MANY_SUBSCRIPTIONS: [429, 'This socket follows as many as it may; unsubscribe from one first.'],
  INTERNAL_ERROR: [500, 'Something went wrong on our side; quote the request id when you report it.'],
  QUOTE_UNAVAILABLE: [502, 'No quote can be had for this pair at present.'],
  UPSTREAM_UNAVAILABLE: [502, 'A provider that this call needs does not answer.'],
  SERVICE_UNAVAILABLE: [503, 'The service is not reachable at present; try again shortly.'],
  OUTCOME_UNKNOWN: [
    504,
    'No answer came in time. The call may have taken effect: read the resource before you repeat it.',
  ],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof errorCodes;

export function statusOf(code: ErrorCode): number {
  return errorCodes[code][0];
}
