/** @typedef {import('./x402-matrix.mjs').Scenario} Scenario */

/**
 * Why scenarios of the x402 tests do not pass, where the cause is known. The first one that matches is taken.
 * @type {{ matches: (scenario: Scenario) => boolean, reason: string }[]}
 */
const reasons = [
  {
    matches: ({ server, facilitator, error = '' }) =>
      server === 'fastify' && facilitator === 'tollbridge' && error.includes('did not start'),
    reason:
      'The official Fastify seller sells on Solana too, and does not start with a facilitator of EVM chains only. The Express and Hono sellers take a second facilitator for the rest.',
  },
  {
    matches: ({ facilitator, endpoint }) =>
      facilitator === 'tollbridge' && endpoint.includes('erc20ApprovalGasSponsoring'),
    reason:
      'This facilitator does not sponsor the gas of a plain ERC-20 approval, and does not list that extension: [facilitator](facilitator.md).',
  },
];

/** @param {Scenario} scenario */
export const reasonOf = (scenario) =>
  reasons.find(({ matches }) => matches(scenario))?.reason ?? 'Not known yet.';
