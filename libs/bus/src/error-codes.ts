/**
 * Every error code that a reply can carry, with its HTTP status and the sentence shown when the code that failed
 * has nothing more exact to say. The set is closed: clients may switch over it.
 */
export const errorCodes = {
  VALIDATION_ERROR: [400, 'The request is not valid; see details.'],
  MALFORMED_JSON: [400, 'The body is not valid JSON.'],
  UNAUTHORIZED: [401, 'Credentials are missing or not valid.'],
  FORBIDDEN: [403, 'These credentials do not allow this call.'],
  NOT_FOUND: [404, 'Nothing is found here.'],
  METHOD_NOT_ALLOWED: [405, 'This path does not answer this method; see the Allow header.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  CONFLICT: [409, 'The request conflicts with the present state.'],
  ORDER_NOT_WAITING: [409, 'The order does not exist or is not waiting for a payment.'],
  TX_ALREADY_REPORTED: [409, 'This transaction has already been reported for another order.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than 256 KiB.'],
  URI_TOO_LONG: [414, 'The address or a parameter in it is too long.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as application/json.'],
  ROUTE_UNAVAILABLE: [422, 'This token cannot be paid into that token.'],
  HEADERS_TOO_LARGE: [431, 'The address and the headers are larger than 16 KiB together.'],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests; wait for retryAfter seconds.'],
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
