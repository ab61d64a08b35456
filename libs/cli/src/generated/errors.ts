// Generated from libs/contracts: npm run docs

/** What each error code means, and what to do. */
export const errorGuide: Readonly<Record<string, readonly [meaning: string, action: string]>> = {
  "VALIDATION_ERROR": [
    "A field of the path, query, header or body is missing, malformed or out of range.",
    "Correct every field that `details` names (`[{field, message}]`). A retry of the same request fails."
  ],
  "MALFORMED_JSON": [
    "The body is not JSON, repeats a key, is nested too deep, or has a number that cannot be stored exactly.",
    "Send one valid JSON object in UTF-8, with amounts as strings."
  ],
  "INVALID_SIGNATURE": [
    "A signature does not match what was built, or was not made by the expected address.",
    "Sign exactly what the build returned, with the key of `userAddress`."
  ],
  "UNAUTHORIZED": [
    "The API key, session or wallet is missing, malformed, unknown, disabled, deleted, expired, or of another environment.",
    "`details.reason` says which. Send a valid key as `Authorization: Bearer` or `X-API-Key`, or sign in again."
  ],
  "FORBIDDEN": [
    "The credentials are valid, but do not have the permission, or are of the wrong kind, for this operation.",
    "`details.reason` says what is missing. Use a key with that permission, its secret, or the wallet."
  ],
  "BUDGET_EXCEEDED": [
    "The dollar value of the call exceeds what is left of the monthly budget of the API key.",
    "Raise `monthlyBudget` of the key, use another key, or wait for the first of the next month (UTC)."
  ],
  "MAX_PER_TX_EXCEEDED": [
    "The dollar value of the call exceeds `maxPerTx` of the API key.",
    "Send a smaller amount, or raise `maxPerTx` of the key."
  ],
  "SECOND_KEY_REQUIRED": [
    "A payout must be approved with another API key than the one that submitted it.",
    "Approve it with a second key of the same wallet."
  ],
  "INVALID_QUOTE": [
    "The quote does not exist, or belongs to another client.",
    "Request a new quote and use its `quoteId`."
  ],
  "NOT_FOUND": [
    "The route or the resource does not exist. A resource of another wallet is answered like one that does not exist.",
    "Check the path and the id, and that the key or wallet owns the resource."
  ],
  "METHOD_NOT_ALLOWED": [
    "The path exists, but not with this HTTP method.",
    "Use a method of the `Allow` header."
  ],
  "REQUEST_TIMEOUT": [
    "The headers or the body did not arrive in time. The connection is closed.",
    "Send the request again on a new connection, without pauses."
  ],
  "CONFLICT": [
    "The current state of the resource does not allow the call.",
    "Read the resource, then decide. A retry of the same request fails until the state changes."
  ],
  "ORDER_NOT_WAITING": [
    "A transaction was reported for an order that does not exist or no longer waits for a payment.",
    "Read the order: if its status is `settling` or `settled`, the payment is already known."
  ],
  "TX_ALREADY_REPORTED": [
    "The transaction hash was reported for another order.",
    "Check `tx_hash`. One transaction pays one order."
  ],
  "IDEMPOTENCY_IN_PROGRESS": [
    "A request with the same `Idempotency-Key` is still being processed.",
    "Repeat the same request after `retryAfter` seconds."
  ],
  "QUOTE_EXPIRED": [
    "The quote is older than its `expiresAt`.",
    "Request a new quote."
  ],
  "PAYLOAD_TOO_LARGE": [
    "The body exceeds the limit of the route: 256 KiB, 64 KiB without an API key or wallet, 900,000 bytes for frames of payments.",
    "Send less at once, or authenticate."
  ],
  "URI_TOO_LONG": [
    "The URL, or a parameter in its path, is too long.",
    "Send a shorter value. Path parameters have at most 256 characters."
  ],
  "UNSUPPORTED_MEDIA_TYPE": [
    "The body has another `Content-Type`, charset or `Content-Encoding` than the route accepts.",
    "Send `Content-Type: application/json` in UTF-8, unencoded."
  ],
  "IDEMPOTENCY_KEY_REUSED": [
    "The `Idempotency-Key` was used for a request with another body.",
    "Use a new key for each new request, and the same key only to repeat one."
  ],
  "PURCHASE_REFUSED": [
    "The provider declined the purchase, for example for want of stock. Nothing was charged.",
    "`details` has the reason. Change the request, and send it with a new `Idempotency-Key` or reference."
  ],
  "ROUTE_UNAVAILABLE": [
    "No provider supports this pair of tokens and chains.",
    "Choose another pay token or chain."
  ],
  "INSUFFICIENT_BALANCE": [
    "The balance of the paying account is too low.",
    "Fund the account, or send a smaller amount. `details` has what is needed and available."
  ],
  "INSUFFICIENT_ALLOWANCE": [
    "The token allowance of the contract is too low.",
    "Send the approval transaction first, with the amount in `details`."
  ],
  "GAS_LIMIT_EXCEEDED": [
    "The transaction needs more gas than `gasLimit` allows.",
    "Raise `gasLimit`, or leave it out and build again."
  ],
  "DEADLINE_EXCEEDED": [
    "The deadline of the transaction has passed.",
    "Build the transaction again, let the user sign it, and execute it."
  ],
  "TRANSACTION_FAILED": [
    "The transaction reverts on the chain, or can no longer be mined.",
    "`details` has the reason. Build the transaction again, let the user sign it, and execute it."
  ],
  "UPGRADE_REQUIRED": [
    "The path is a WebSocket, and was called as plain HTTP.",
    "Connect with `ws://` or `wss://`."
  ],
  "RATE_LIMIT_EXCEEDED": [
    "The API key, wallet or address sent too many requests, too many invalid keys, or too many bodies at once.",
    "Wait for `Retry-After` seconds. The headers `RateLimit` and `RateLimit-Policy` say what is allowed."
  ],
  "TOO_MANY_SUBSCRIPTIONS": [
    "A socket of the transaction stream has the maximum number of subscriptions.",
    "Unsubscribe from one, or open another socket."
  ],
  "HEADERS_TOO_LARGE": [
    "The request line and the headers exceed 16 KiB together.",
    "Send fewer or shorter headers."
  ],
  "INTERNAL_ERROR": [
    "An unexpected failure of the service.",
    "Report it with `request_id`. Retry with exponential backoff, with the same Idempotency-Key."
  ],
  "QUOTE_UNAVAILABLE": [
    "No provider returns a quote for this pair at present.",
    "Retry later, or choose another pair."
  ],
  "UPSTREAM_UNAVAILABLE": [
    "A provider or chain that the operation needs does not answer.",
    "Retry with exponential backoff, with the same Idempotency-Key."
  ],
  "SERVICE_UNAVAILABLE": [
    "The service is not reachable or at capacity. The call had no effect.",
    "Retry after `Retry-After` seconds."
  ],
  "OUTCOME_UNKNOWN": [
    "The service did not answer in time. The call may have taken effect.",
    "Repeat the call with the same `Idempotency-Key`, or read the resource first."
  ]
};
