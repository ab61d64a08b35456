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
];

/**
 * What every reply says. Constants: a middleware that builds its policies anew for each request took longer than all
 * the rest of the request. The API is public and carries no cookies, so a browser on any site may call it.
 */
export const standingHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
  // A reply may hold keys or somebody's orders; what may be kept says so itself.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The answer to a browser that asks before it calls; it need not ask again for a day. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-max-age': '86400',
  vary: 'Access-Control-Request-Headers',
} as const;
