import type { ErrorCode } from './error-codes';

export interface ErrorExplanation {
  /** When the code is returned. */
  meaning: string;
  /** The next step for the client. */
  action: string;
}

const retryLater = 'Retry with exponential backoff, with the same Idempotency-Key.';
const buildAgain = 'Build the transaction again, let the user sign it, and execute it.';

/** Meaning of each error code and the client's next step, published at `/docs/errors` and in docs/errors.md. */
export const errorGuide: Record<ErrorCode, ErrorExplanation> = {
  VALIDATION_ERROR: {
    meaning: 'A field of the path, query, header or body is missing, malformed or out of range.',
    action:
      'Correct every field that `details` names (`[{field, message}]`). A retry of the same request fails.',
  },
  MALFORMED_JSON: {
    meaning:
      'The body is not JSON, repeats a key, is nested too deep, or has a number that cannot be stored exactly.',
    action: 'Send one valid JSON object in UTF-8, with amounts as strings.',
  },
  INVALID_SIGNATURE: {
    meaning: 'A signature does not match what was built, or was not made by the expected address.',
    action: 'Sign exactly what the build returned, with the key of `userAddress`.',
  },
  UNAUTHORIZED: {
    meaning:
      'The API key, session or wallet is missing, malformed, unknown, disabled, deleted, expired, or of another environment.',
    action:
      '`details.reason` says which. Send a valid key as `Authorization: Bearer` or `X-API-Key`, or sign in again.',
  },
  FORBIDDEN: {
    meaning:
      'The credentials are valid, but do not have the permission, or are of the wrong kind, for this operation.',
    action:
      '`details.reason` says what is missing. Use a key with that permission, its secret, or the wallet.',
  },
  BUDGET_EXCEEDED: {
    meaning: 'The dollar value of the call exceeds what is left of the monthly budget of the API key.',
    action:
      'Raise `monthlyBudget` of the key, use another key, or wait for the first of the next month (UTC).',
  },
  MAX_PER_TX_EXCEEDED: {
    meaning: 'The dollar value of the call exceeds `maxPerTx` of the API key.',
    action: 'Send a smaller amount, or raise `maxPerTx` of the key.',
  },
  SECOND_KEY_REQUIRED: {
    meaning: 'The API key that submitted a payout cannot approve it.',
    action: 'Approve it with a second key of the same wallet.',
  },
  INVALID_QUOTE: {
    meaning: 'The quote does not exist, or belongs to another client.',
    action: 'Request a new quote and use its `quoteId`.',
  },
  NOT_FOUND: {
    meaning:
      'The route or the resource does not exist. The reply is the same for a resource of another wallet.',
    action: 'Check the path and the id, and that the key or wallet owns the resource.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists, but not with this HTTP method.',
    action: 'Use a method of the `Allow` header.',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The headers or the body did not arrive in time. The connection is closed.',
    action: 'Send the request again on a new connection, without pauses.',
  },
  CONFLICT: {
    meaning: 'The current state of the resource does not allow the call.',
    action: 'Read the resource, then decide. A retry of the same request fails until the state changes.',
  },
  ORDER_NOT_WAITING: {
    meaning: 'A transaction was reported for an order that does not exist or no longer waits for a payment.',
    action: 'Read the order: if its status is `settling` or `settled`, the payment is already known.',
  },
  TX_ALREADY_REPORTED: {
    meaning: 'The transaction hash was reported for another order.',
    action: 'Check `tx_hash`. One transaction pays one order.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    meaning: 'A request with the same `Idempotency-Key` is still being processed.',
    action: 'Repeat the same request after `retryAfter` seconds.',
  },
  QUOTE_EXPIRED: {
    meaning: 'The quote is older than its `expiresAt`.',
    action: 'Request a new quote.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning:
      'The body exceeds the limit of the route: 256 KiB, 64 KiB without an API key or wallet, 900,000 bytes for frames of payments.',
    action: 'Send less at once, or authenticate.',
  },
  URI_TOO_LONG: {
    meaning: 'The URL, or a parameter in its path, is too long.',
    action: 'Send a shorter value. Path parameters have at most 256 characters.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The route does not accept the `Content-Type`, charset or `Content-Encoding` of the body.',
    action: 'Send `Content-Type: application/json` in UTF-8, unencoded.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'The `Idempotency-Key` was used for a request with another body.',
    action: 'Use a new key for each new request, and the same key only to repeat one.',
  },
  PURCHASE_REFUSED: {
    meaning: 'The provider declined the purchase, for example for want of stock. Nothing was charged.',
    action:
      '`details` has the reason. Change the request, and send it with a new `Idempotency-Key` or reference.',
  },
  ROUTE_UNAVAILABLE: {
    meaning: 'No provider supports this pair of tokens and chains.',
    action: 'Choose another pay token or chain.',
  },
  INSUFFICIENT_BALANCE: {
    meaning: 'The balance of the paying account is too low.',
    action: 'Fund the account, or send a smaller amount. `details` has what is needed and available.',
  },
  INSUFFICIENT_ALLOWANCE: {
    meaning: 'The token allowance of the contract is too low.',
    action: 'Send the approval transaction first, with the amount in `details`.',
  },
  GAS_LIMIT_EXCEEDED: {
    meaning: 'The transaction needs more gas than `gasLimit` allows.',
    action: 'Raise `gasLimit`, or leave it out and build again.',
  },
  DEADLINE_EXCEEDED: {
    meaning: 'The deadline of the transaction has passed.',
    action: buildAgain,
  },
  TRANSACTION_FAILED: {
    meaning: 'The transaction reverts on the chain, or can no longer be mined.',
    action: `\`details\` has the reason. ${buildAgain}`,
  },
  UPGRADE_REQUIRED: {
    meaning: 'The path is a WebSocket, and was called as plain HTTP.',
    action: 'Connect with `ws://` or `wss://`.',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning:
      'The API key, wallet or address sent too many requests, too many invalid keys, or too many bodies at once.',
    action:
      'Wait for `Retry-After` seconds. The headers `RateLimit` and `RateLimit-Policy` say what is allowed.',
  },
  TOO_MANY_SUBSCRIPTIONS: {
    meaning: 'A socket of the transaction stream has the maximum number of subscriptions.',
    action: 'Unsubscribe from one, or open another socket.',
  },
  HEADERS_TOO_LARGE: {
    meaning: 'The request line and the headers exceed 16 KiB together.',
    action: 'Send fewer or shorter headers.',
  },
  INTERNAL_ERROR: {
    meaning: 'An unexpected failure of the service.',
    action: `Report it with \`request_id\`. ${retryLater}`,
  },
  QUOTE_UNAVAILABLE: {
    meaning: 'No provider returns a quote for this pair at present.',
    action: 'Retry later, or choose another pair.',
  },
  UPSTREAM_UNAVAILABLE: {
    meaning: 'A provider or chain that the operation needs does not answer.',
    action: retryLater,
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The service is not reachable or at capacity. The call had no effect.',
    action: 'Retry after `Retry-After` seconds.',
  },
  RATE_UNAVAILABLE: {
    meaning:
      'A price cannot be converted: its rate is missing or outdated, or it moved so far that a second source must confirm it.',
    action:
      'Retry after `Retry-After` seconds, or send an amount of the token. `details.reason` names the cause.',
  },
  OUTCOME_UNKNOWN: {
    meaning: 'The service did not answer in time. The call may have taken effect.',
    action: 'Repeat the call with the same `Idempotency-Key`, or read the resource first.',
  },
};
