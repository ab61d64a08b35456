// Swaps 100 USDT on Base for DAI on Arbitrum: quote, build, sign, execute, watch.
import { Wallet } from 'ethers';
import WebSocket from 'ws';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const { chains, accounts, merchant } = await (await fetch(`${api}/sandbox`)).json();
const wallet = new Wallet(accounts.find(({ role }) => role === 'payer').privateKey);
const headers = { authorization: `Bearer ${merchant.key}`, 'content-type': 'application/json' };
async function call(path, body) {
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const { data, error } = await (await fetch(`${api}/v1/${path}`, request)).json();
  if (error) throw new Error(`${error.code}: ${error.message}`);
  return data;
}
const token = (chainId, symbol) => ({
  chainId,
  address: chains.find((chain) => chain.chainId === chainId).tokens.find((it) => it.symbol === symbol)
    .address,
});

const pair = { inputToken: token(8453, 'USDT'), outputToken: token(42161, 'DAI') };
const quote = await call('quote', { ...pair, inputAmount: '100000000' });
console.log(quote.reason);
const built = await call('transaction/build', { quoteId: quote.quoteId, userAddress: wallet.address });
const { transactionId, transactions } = built;
const signatures = await Promise.all(
  transactions.map((it) => wallet.signTransaction({ ...it, gasLimit: it.gas, type: 2 })),
);
await call('transaction/execute', { transactionId, signatures });
const stream = new WebSocket(`${api.replace('http', 'ws')}/v1/transaction/stream`);
stream.on('open', () => stream.send(JSON.stringify({ action: 'subscribe', transactionId })));
stream.on('message', async (message) => {
  const { type, data } = JSON.parse(message);
  if (type !== 'transaction_update') return;
  console.log(data.step, data.status, `${data.confirmations}/${data.requiredConfirmations}`);
  if (!['completed', 'failed', 'expired'].includes(data.status)) return;
  console.log((await call(`transaction/${transactionId}/status`)).result);
  stream.close();
});
