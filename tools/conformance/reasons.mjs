/** @typedef {import('./x402-matrix.mjs').Scenario} Scenario */

/**
 * Known reasons of x402 scenarios that do not pass. The first match is used.
 * @type {{ matches: (scenario: Scenario) => boolean, reason: string }[]}
 */
const reasons = [
  {
    matches: ({ facilitator, endpoint }) =>
      facilitator === 'tollbridge' && endpoint.includes('erc20ApprovalGasSponsoring'),
    reason:
      'This facilitator does not sponsor the gas of a plain ERC-20 approval, and does not list that extension: [decision 79](decisions/0079-extensions-of-sellers.md).',
  },
];

/** @param {Scenario} scenario */
export const reasonOf = (scenario) =>
  reasons.find(({ matches }) => matches(scenario))?.reason ?? 'Not known yet.';
