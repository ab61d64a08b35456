const exposedHeaders = [
  'link',
  'x-limit',
  'x-request-id',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'www-authenticate',
  'idempotent-replayed',
  'payment-required',
  'payment-response',
  'payment-receipt',
  'purchase-token',
];

/**
 * Headers of every reply. They are constants: building them for each request took longer than the rest of it (bench row
 * "read an order"). A browser on any site may call the API, but never with credentials. No reply permits them, so the
 * cookie of the dashboard does not count for another site.
 */
export const standingHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
  // A reply may contain keys or orders; replies that may be cached set their own value.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Headers of a preflight reply; browsers cache it for a day. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-max-age': '86400',
  vary: 'Access-Control-Request-Headers',
} as const;
