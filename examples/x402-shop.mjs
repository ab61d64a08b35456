// Sells a route with the official x402 packages. The gateway is the facilitator, so the shop needs no node, key or
// coins.
import { HTTPFacilitatorClient } from '@x402/core/server';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import { ExactSvmScheme } from '@x402/svm/exact/server';
import express from 'express';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const sandbox = await (await fetch(`${api}/sandbox`)).json();
const [{ caip2: base, tokens }] = sandbox.chains;
const usdc = tokens.find(({ symbol }) => symbol === 'USDC').address;
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const sellerOf = ({ accounts }) => accounts.find(({ role }) => role === 'merchant').address;
const onSolana = sandbox.networks.find(({ family }) => family === 'solana');

const facilitator = new HTTPFacilitatorClient({ url: api });
// Signs the shop's claims of buyers' vouchers. A real shop stores this key and its vouchers.
const receiverAuthorizerSigner = privateKeyToAccount(generatePrivateKey());
const channels = new BatchSettlementEvmScheme(sellerOf(sandbox), { receiverAuthorizerSigner });
const server = new x402ResourceServer(facilitator)
  .register(base, new ExactEvmScheme())
  .register(base, channels)
  .register(solana, new ExactSvmScheme());
const price = { asset: usdc, amount: '1000', extra: { name: 'USD Coin', version: '2' } };
const accepts = [
  { scheme: 'exact', network: base, payTo: sellerOf(sandbox), price },
  { scheme: 'batch-settlement', network: base, payTo: sellerOf(sandbox), price },
  { scheme: 'exact', network: solana, payTo: sellerOf(onSolana), price: '$0.001' },
];

const app = express();
app.use(paymentMiddleware({ 'GET /forecast': { accepts } }, server));
app.get('/forecast', (_request, response) => response.json({ tomorrow: 'sunny' }));
app.listen(4030, '127.0.0.1');
channels.createChannelManager(facilitator, base, usdc).start({
  claimIntervalSecs: 20,
  settleIntervalSecs: 20,
  onSettle: ({ transaction }) => console.log('earned', transaction),
});
