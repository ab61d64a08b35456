// Buys a phone number without an account, with the official x402 client and a wallet, and waits for its code.
import { randomBytes } from 'node:crypto';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { payerAddress, signerOfSeed, TonNanopayClient } from '@tollbridge/paywall/x402';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const headers = { 'content-type': 'application/json' };
const post = (body) => ({ method: 'POST', headers, body: JSON.stringify(body) });

// The sandbox deposits 5 USDT for the wallet. A wallet on an EVM chain would pay USDC with the scheme `exact` instead.
const signer = signerOfSeed(randomBytes(32));
const address = payerAddress(signer);
await fetch(`${api}/sandbox/nanopay/deposit`, post({ address, amount: '5000000' }));
const balance = async () => (await (await fetch(`${api}/balance/${address}`)).json()).available;
while ((await balance()) === '0') await new Promise((wait) => setTimeout(wait, 200));

const client = new x402Client().register('ton-mainnet', new TonNanopayClient({ signer }));
const buy = wrapFetchWithPayment(fetch, client);
const response = await buy(`${api}/sms/number`, post({ service: 'tg', country: 44 }));
const number = await response.json();
console.log(response.status, number);
console.log(JSON.parse(Buffer.from(response.headers.get('payment-response'), 'base64')));

// The purchase token gives access to the bought number.
const token = { 'purchase-token': response.headers.get('purchase-token') };
const read = async () => (await fetch(`${api}/sms/status/${number.id}`, { headers: token })).json();
let status = await read();
for (; status.status === 'STATUS_WAIT_CODE'; status = await read())
  await new Promise((wait) => setTimeout(wait, 500));
console.log(status);
