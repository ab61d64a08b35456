// The official server with its own scheme `exact`: every payment is verified and settled on a local EVM node.
import { x402Facilitator } from '@x402/core/facilitator';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme as ExactFacilitator } from '@x402/evm/exact/facilitator';
import { ExactEvmScheme as ExactServer } from '@x402/evm/exact/server';
import { x402ResourceServer } from '@x402/express';
import { createWalletClient, defineChain, http, publicActions } from 'viem';
import { nonceManager, privateKeyToAccount } from 'viem/accounts';
import { inProcess, serveOfficialApp } from './official-app.mjs';
import { priceAtomic } from './resource.mjs';

// By default, viem polls every 4 seconds for a mined transaction, while this chain mines immediately.
const pollingInterval = 50;

const { rpcUrl, chainId, asset, payTo, facilitatorKey } = JSON.parse(process.argv[2]);
const chain = defineChain({
  id: chainId,
  name: 'bench',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
});
// Concurrent settlements must not use the same nonce.
const account = privateKeyToAccount(facilitatorKey, { nonceManager });
const client = createWalletClient({ account, chain, transport: http(rpcUrl), pollingInterval }).extend(
  publicActions,
);
const signer = toFacilitatorEvmSigner(Object.assign(client, { address: account.address }));
const network = `eip155:${chainId}`;
let settled = 0;
const facilitator = new x402Facilitator()
  .register(network, new ExactFacilitator(signer))
  .onAfterSettle(async ({ result }) => void (settled += result.success ? 1 : 0));
const resourceServer = new x402ResourceServer(inProcess(facilitator)).register(network, new ExactServer());
const price = { asset, amount: priceAtomic, extra: { name: 'USD Coin', version: '2' } };
await serveOfficialApp(resourceServer, { scheme: 'exact', network, payTo, price }, () => ({
  payments: settled,
}));
