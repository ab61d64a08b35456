/** Renders docs/errors.md. @param {import('./product.mjs').Product} product */
export function renderErrors({ gateway }) {
  return [
    '<!-- Written by `npm run docs` from libs/platform/rpc/src/errors/error-guide.ts. Do not edit. -->',
    '# Error codes',
    'What each error code means, what a client should do, and which operations return it. The gateway serves the same at `/docs/errors`; `documentation_url` of each failure links there.',
    'A failure is `{error, code, details?, request_id, documentation_url}`, with `retryAfter` where a retry can succeed. Below `/v1/` it is `{success: false, data: null, error: {code, message, details, request_id, documentation_url}, timestamp}`. Use `code` in programs: it is stable. The sentence is for people. `request_id` equals the header `x-request-id`; a replayed failure (`idempotent-replayed: true`) keeps the `request_id` of the first reply, which it repeats byte for byte.',
    ...gateway.errorReference(gateway.gatewayRoutes('sandbox')).flatMap(section),
  ].join('\n\n');
}

function section({ code, status, meaning, action, answeredBy }) {
  return [
    `## ${code}`,
    `HTTP status ${status}. ${meaning}`,
    `**What to do:** ${action}`,
    typeof answeredBy === 'string'
      ? `${answeredBy}.`
      : answeredBy.map((route) => `- \`${route}\``).join('\n'),
  ];
}
