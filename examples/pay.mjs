// Pays the order in order.json, or in the file that is named, on the sandbox's local chain.
import { readFileSync } from 'node:fs';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const reply = JSON.parse(readFileSync(process.argv[2] ?? 'order.json', 'utf8'));
const { order_id, direct } = reply.order ?? reply;
const { chains, accounts } = await (await fetch(`${api}/sandbox`)).json();
const { rpcUrl, chainId, payAbi } = chains.find(({ caip2 }) => caip2 === direct.chain);
const provider = new JsonRpcProvider(rpcUrl, chainId, { cacheTimeout: -1, pollingInterval: 200 });
const wallet = new Wallet(accounts.find(({ role }) => role === 'payer').privateKey, provider);
// The contract takes the order exactly as the API gave it; only the uuid is written as 16 bytes.
const order = { ...direct.payment_order, order_id: `0x${order_id.replaceAll('-', '')}` };
const token = new Contract(order.token_in_address, ['function approve(address, uint256)'], wallet);
await (await token.approve(direct.contract_address, order.amount_in)).wait();
const payment = await new Contract(direct.contract_address, payAbi, wallet).pay(order);
const body = JSON.stringify({ tx_hash: payment.hash });
const headers = { 'content-type': 'application/json' };
await fetch(`${api}/api/v1/pay/order/${order_id}/tx`, { method: 'POST', headers, body });
console.log(`paid by ${payment.hash}`);
provider.destroy();
