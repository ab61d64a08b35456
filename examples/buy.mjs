// Buys the demo resource, or the given URL, with the official x402 client: one signature, no transaction.
import { randomBytes } from 'node:crypto';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { payerAddress, signerOfSeed, TonNanopayClient } from '@tollbridge/paywall/x402';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const url = process.argv[2] ?? `${api}/demo/premium`;
const signer = signerOfSeed(randomBytes(32));
const address = payerAddress(signer);
// The sandbox deposits 1 USDT for the buyer, with a real transfer on its local TON network.
const body = JSON.stringify({ address, amount: '1000000' });
const headers = { 'content-type': 'application/json' };
await fetch(`${api}/sandbox/nanopay/deposit`, { method: 'POST', headers, body });
const balance = async () => (await (await fetch(`${api}/balance/${address}`)).json()).available;
while ((await balance()) === '0') await new Promise((wait) => setTimeout(wait, 200));

const client = new x402Client().register('ton-mainnet', new TonNanopayClient({ signer }));
const response = await wrapFetchWithPayment(fetch, client)(url);
console.log(response.status, await response.json());
console.log(JSON.parse(Buffer.from(response.headers.get('payment-response'), 'base64')).extra.receipt);
