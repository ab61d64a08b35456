// Pays an order on the sandbox's local Sui network. The order comes from standard input, or from the file that is named.
import { readFileSync } from 'node:fs';
import { SuiGraphQLClient } from '@mysten/sui/graphql';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const reply = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
const { order_id, direct } = reply.order ?? reply;
const { networks } = await (await fetch(`${api}/sandbox`)).json();
const { rpcUrl, accounts } = networks.find(({ family }) => family === 'sui');
const client = new SuiGraphQLClient({ url: rpcUrl });
const payer = Ed25519Keypair.fromSecretKey(accounts.find(({ role }) => role === 'payer').privateKey);
// The whole payment; a wallet adds the sender and the gas.
const transaction = Transaction.fromKind(direct.wallet_call.sui.transaction_kind);
const address = payer.toSuiAddress();
const coins = await client.core.getCoins({ address, coinType: '0x2::sui::SUI', limit: 10 });
const { referenceGasPrice } = await client.core.getReferenceGasPrice();
transaction.setSender(address);
transaction.setGasPayment(coins.objects.map(({ id, ...coin }) => ({ ...coin, objectId: id })));
transaction.setGasPrice(BigInt(referenceGasPrice));
transaction.setGasBudget(20_000_000n);
const { digest, effects } = await payer.signAndExecuteTransaction({ transaction, client });
if (!effects.status.success) throw new Error(effects.status.error);
console.log(`paid by ${digest}`);
const url = `${api}/api/v1/pay/order/${order_id}`;
const body = JSON.stringify({ tx_hash: digest });
await fetch(`${url}/tx`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
for (let last = ''; last !== 'settled'; await new Promise((wait) => setTimeout(wait, 200))) {
  const { status, failure_reason } = await (await fetch(url)).json();
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  if (status !== last) console.log(`order ${order_id} is ${status}`);
  last = status;
}
