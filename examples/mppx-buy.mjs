// Buys a phone number with the mppx client and a payer's wallet of the sandbox. The client pays with the HTTP
// authentication scheme Payment.
import { evm, Mppx } from 'mppx/client';
import { privateKeyToAccount } from 'viem/accounts';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const sandbox = await (await fetch(`${api}/sandbox`)).json();
const [{ caip2, tokens }] = sandbox.chains;
const { privateKey } = sandbox.accounts.find(({ role }) => role === 'payer');

const charge = evm.charge({
  account: privateKeyToAccount(privateKey),
  // The local USDC has a different address, so the example also states its EIP-712 domain.
  currencies: [tokens.find(({ symbol }) => symbol === 'USDC').address],
  authorization: { name: 'USD Coin', version: '2' },
  networks: [Number(caip2.split(':')[1])],
  maxAtomicAmount: '1000000',
});
const buyer = Mppx.create({ methods: [charge], polyfill: false });
const headers = { 'content-type': 'application/json' };
const body = JSON.stringify({ service: 'tg', country: 44 });
const response = await buyer.fetch(`${api}/sms/number`, { method: 'POST', headers, body });
console.log(response.status, await response.json());
console.log(JSON.parse(Buffer.from(response.headers.get('payment-receipt'), 'base64')));
