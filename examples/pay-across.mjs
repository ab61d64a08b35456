// Pays an order with a transfer on another chain than the merchant's. Reads the order from standard input or a file.
import { readFileSync } from 'node:fs';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';
import { createClient, followOrder, getSandbox, reportOrderTransaction } from '@tollbridge/sdk';

const client = createClient({ baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000' });
const { order_id, cross_chain } = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
const { deposit_address, deposit_amount, deposit_blockchain, deposit_token } = cross_chain;
const { chains, accounts } = await getSandbox(client);
const { rpcUrl, chainId, tokens } = chains.find(({ caip2 }) => caip2 === deposit_blockchain);
const provider = new JsonRpcProvider(rpcUrl, chainId, { cacheTimeout: -1, pollingInterval: 200 });
const wallet = new Wallet(accounts.find(({ role }) => role === 'payer').privateKey, provider);
const { address } = tokens.find(({ symbol }) => symbol === deposit_token);
const token = new Contract(address, ['function transfer(address, uint256)'], wallet);
const payment = await token.transfer(deposit_address, deposit_amount);
provider.destroy();
console.log(`paid by ${payment.hash}`);
await reportOrderTransaction(client, { id: order_id, tx_hash: payment.hash });
for await (const { data } of followOrder(client, { id: order_id })) {
  const { status, failure_reason } = data;
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  console.log(`order ${order_id} is ${status}`);
}
