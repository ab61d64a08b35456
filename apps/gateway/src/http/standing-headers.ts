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
 * Headers of every reply. They are constants, because building them for each request took longer than the rest of it
 * (benchmark "read an order"). A browser on any site may call the API, but never with credentials. No reply permits
 * them, so the dashboard's cookie is useless to other sites.
 */
export const standingHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
  // A reply may contain keys or orders. Replies that may be cached replace this value.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Headers of a preflight reply. Browsers cache it for a day. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-max-age': '86400',
  vary: 'Access-Control-Request-Headers',
} as const;
