// Buys the demo resource, or the given URL, with the official x402 client and a payer's wallet of the sandbox.
import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
import { toClientEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { createPublicClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const [family = 'evm', url = `${api}/demo/premium`, body] = process.argv.slice(2);
const sandbox = await (await fetch(`${api}/sandbox`)).json();
const keyOf = ({ accounts }) => accounts.find(({ role }) => role === 'payer').privateKey;

const client = new x402Client();
if (family === 'solana') {
  const solana = sandbox.networks.find((network) => network.family === family);
  const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(keyOf(solana)));
  client.register('solana:*', new ExactSvmScheme(signer, { rpcUrl: solana.rpcUrl }));
} else {
  const [{ caip2: network, tokens, rpcUrl }] = sandbox.chains;
  const asset = tokens.find(({ symbol }) => symbol === 'USDC').address;
  // The client reads the state of unknown channels from this node.
  const node = createPublicClient({ transport: http(rpcUrl) });
  const signer = toClientEvmSigner(privateKeyToAccount(keyOf(sandbox)), node);
  const Scheme = family === 'batch' ? BatchSettlementEvmScheme : ExactEvmScheme;
  client.register(network, new Scheme(signer));
  // By default the client pays only well-known tokens, and the local USDC has a different address.
  client.setSpendControls({ allowedAssets: [{ network, asset }] });
}
const headers = { 'content-type': 'application/json' };
const request = body === undefined ? {} : { method: 'POST', headers, body };
const pay = wrapFetchWithPayment(fetch, client);
for (let left = family === 'batch' ? 3 : 1; left > 0; left--) {
  const response = await pay(url, request);
  console.log(response.status, await response.json());
  console.log(JSON.parse(Buffer.from(response.headers.get('payment-response'), 'base64')));
  if (!response.ok) process.exitCode = 1;
}
