import { exampleContext } from './example-context';

/** The headers that operations share, for `components.headers`. */
export const commonHeaders = {
  'x-request-id': {
    description: 'Yours if you sent one, otherwise a new one; quote it when you report a problem',
    schema: { type: 'string', examples: [exampleContext.requestId] },
  },
  'retry-after': {
    description: 'Seconds to wait before a retry',
    schema: { type: 'integer', minimum: 1, examples: [1] },
  },
  ratelimit: {
    description: 'Remaining requests (`r`), and seconds until the whole quota is available (`t`)',
    schema: { type: 'string', examples: ['"free";r=99;t=1'] },
  },
  'ratelimit-policy': {
    description: 'The limit: `q` requests within `w` seconds. Absent where there is none',
    schema: { type: 'string', examples: ['"free";q=100;w=60'] },
  },
  'idempotent-replayed': {
    description: '`true` on the stored reply of an earlier call with this `Idempotency-Key`',
    schema: { type: 'string', const: 'true', examples: ['true'] },
  },
  link: {
    description: 'RFC 8288: the next page, with `rel="next"`. Absent on the last page',
    schema: {
      type: 'string',
      examples: ['</api/transactions?cursor=0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d>; rel="next"'],
    },
  },
  'x-limit': {
    description:
      'The `limit` (or `size`) that was used: the maximum, where a higher one was requested. Absent where the whole list is returned',
    schema: { type: 'integer', minimum: 1, examples: [100] },
  },
  'www-authenticate': {
    description: 'How to send a key',
    schema: { type: 'string', examples: ['Bearer realm="tollbridge"'] },
  },
};

const refer = (...names: (keyof typeof commonHeaders)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const requestIdHeader = refer('x-request-id');
export const retryAfterHeader = refer('retry-after');
export const limitHeaders = refer('ratelimit', 'ratelimit-policy');
export const replayedHeader = refer('idempotent-replayed');
export const nextPageHeader = refer('link');
export const usedLimitHeader = refer('x-limit');
export const challengeHeader = refer('www-authenticate');
