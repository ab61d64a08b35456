// Pays the order in order.json by a transfer on another chain than the merchant is paid on.
import { readFileSync } from 'node:fs';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const { order_id, cross_chain } = JSON.parse(readFileSync('order.json', 'utf8'));
const { deposit_address: to, deposit_amount, deposit_blockchain, deposit_token } = cross_chain;
const { chains, accounts } = await (await fetch(`${api}/sandbox`)).json();
const { rpcUrl, chainId, tokens } = chains.find(({ caip2 }) => caip2 === deposit_blockchain);
const provider = new JsonRpcProvider(rpcUrl, chainId, { cacheTimeout: -1, pollingInterval: 200 });
const wallet = new Wallet(accounts.find(({ role }) => role === 'payer').privateKey, provider);
const { address } = tokens.find(({ symbol }) => symbol === deposit_token);
const token = new Contract(address, ['function transfer(address, uint256)'], wallet);
const payment = await token.transfer(to, deposit_amount);
const body = JSON.stringify({ tx_hash: payment.hash });
const headers = { 'content-type': 'application/json' };
await fetch(`${api}/api/v1/pay/order/${order_id}/tx`, { method: 'POST', headers, body });
console.log(`paid by ${payment.hash}`);
provider.destroy();
