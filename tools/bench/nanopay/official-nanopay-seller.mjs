import { startChild } from './child-server.mjs';
import { prepareNanopayRequests } from './prepared-payments.mjs';

const raw = (byte) => `0:${byte.repeat(32)}`;

/**
 * The official Express server with the scheme `ton-nanopay`: the same work as in Tollbridge, without durability.
 * @param {ReturnType<typeof import('./buyers.mjs').makeBuyers>} buyers
 * @param {'authorization' | 'upfront'} flow verification and then settlement, or settlement alone
 */
export const officialNanopaySeller = (buyers, flow) => ({
  name: flow === 'upfront' ? 'official nanopay upfront' : 'official nanopay',
  likelyPerSecond: 2_000,
  rates: [200, 1_000],
  async start() {
    const terms = { network: 'ton-mainnet', payTo: raw('22'), verifyingContract: raw('11') };
    const { url, ask, stop } = await startChild('official-nanopay-server.mjs', { flow, ...terms });
    return {
      url,
      prepare: (count) => prepareNanopayRequests(count, { url, buyers }),
      countPayments: async () => (await ask('payments')).payments,
      stop,
    };
  },
});
