// Pays an order on the sandbox's local chain. Reads the order from standard input or a file.
import { readFileSync } from 'node:fs';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';
import { createClient, followOrder, getSandbox, reportOrderTransaction } from '@tollbridge/sdk';

const client = createClient({ baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000' });
const reply = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
const { order_id, direct } = reply.order ?? reply;
if (!direct) throw new Error(`No order with a contract call: ${JSON.stringify(reply)}`);
const { chains, accounts } = await getSandbox(client);
const { rpcUrl, chainId, payAbi } = chains.find(({ caip2 }) => caip2 === direct.chain);
const provider = new JsonRpcProvider(rpcUrl, chainId, { cacheTimeout: -1, pollingInterval: 200 });
const wallet = new Wallet(accounts.find(({ role }) => role === 'payer').privateKey, provider);
// The contract expects the order unchanged from the API, with the UUID as 16 bytes.
const order = { ...direct.payment_order, order_id: `0x${order_id.replaceAll('-', '')}` };
const token = new Contract(order.token_in_address, ['function approve(address, uint256)'], wallet);
await (await token.approve(direct.contract_address, order.amount_in)).wait();
const payment = await new Contract(direct.contract_address, payAbi, wallet).pay(order);
provider.destroy();
console.log(`paid by ${payment.hash}`);
await reportOrderTransaction(client, { id: order_id, tx_hash: payment.hash });
for await (const { data } of followOrder(client, { id: order_id })) {
  const { status, failure_reason } = data;
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  console.log(`order ${order_id} is ${status}`);
}
