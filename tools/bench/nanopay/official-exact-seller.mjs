import { createRequire } from 'node:module';
import { x402Client } from '@x402/fetch';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { startChild } from './child-server.mjs';
import { askTerms, paidRequest } from './prepared-payments.mjs';
import { priceAtomic } from './resource.mjs';

const require = createRequire(import.meta.url);
const chainId = 84_532;
const payTo = '0x00000000000000000000000000000000000be4c4';
const buyerCount = 8;
const fundsAtomic = 10n ** 15n;

/**
 * The official Express server with the scheme `exact`, the facilitator in its process, and Circle's USDC on a local
 * node.
 */
export const officialExactSeller = () => ({
  name: 'official exact',
  likelyPerSecond: 150,
  rates: [20],
  async start() {
    const { startAnvil } = require('@tollbridge/testing');
    const { deployUsdc } = require('@tollbridge/onchain');
    const anvil = await startAnvil({ chainId });
    try {
      const usdc = await deployUsdc(anvil.wallet(0));
      const buyers = Array.from({ length: buyerCount }, (_, index) => anvil.wallet(index + 1));
      for (const { address } of buyers) await usdc.mint(address, fundsAtomic);
      const facilitatorKey = anvil.wallet(buyerCount + 1).privateKey;
      const terms = { rpcUrl: anvil.url, chainId, asset: usdc.address, payTo, facilitatorKey };
      const { url, stop } = await startChild('official-exact-server.mjs', terms);
      const clients = buyers.map(({ privateKey }) => clientOf(privateKey));
      return {
        url,
        prepare: (count) => prepare(count, url, clients),
        countPayments: () => paidOnChain(anvil, usdc.address),
        async stop() {
          await stop();
          await anvil.stop();
        },
      };
    } catch (error) {
      await anvil.stop();
      throw error;
    }
  },
});

/** The official client. Its spend limits exclude this token. */
const clientOf = (privateKey) =>
  new x402Client()
    .register(`eip155:${chainId}`, new ExactEvmScheme(privateKeyToAccount(privateKey)))
    .setSpendControls(false);

async function prepare(count, url, clients) {
  const terms = await askTerms(url);
  const requests = [];
  while (requests.length < count) {
    const client = clients[requests.length % clients.length];
    requests.push(paidRequest(await client.createPaymentPayload(terms)));
  }
  return requests;
}

/** Counts payments on the chain instead of on the server. */
async function paidOnChain(anvil, token) {
  const data = `0x70a08231${payTo.slice(2).padStart(64, '0')}`;
  const balance = BigInt(await anvil.send('eth_call', [{ to: token, data }, 'latest']));
  if (balance % BigInt(priceAtomic) !== 0n) throw new Error(`the seller holds ${balance}: no whole payments`);
  return Number(balance / BigInt(priceAtomic));
}
