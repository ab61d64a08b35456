// Pays an order on the sandbox's local Sui network. Reads the order from standard input or a file.
import { readFileSync } from 'node:fs';
import { SuiGraphQLClient } from '@mysten/sui/graphql';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Transaction } from '@mysten/sui/transactions';
import { createClient, followOrder, getSandbox, reportOrderTransaction } from '@tollbridge/sdk';

const client = createClient({ baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000' });
const reply = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
const { order_id, direct } = reply.order ?? reply;
const { networks } = await getSandbox(client);
const { rpcUrl, accounts } = networks.find(({ family }) => family === 'sui');
const chain = new SuiGraphQLClient({ url: rpcUrl });
const payer = Ed25519Keypair.fromSecretKey(accounts.find(({ role }) => role === 'payer').privateKey);
// The API returns the whole payment. The wallet adds the sender and the gas.
const transaction = Transaction.fromKind(direct.wallet_call.sui.transaction_kind);
const address = payer.toSuiAddress();
const coins = await chain.core.getCoins({ address, coinType: '0x2::sui::SUI', limit: 10 });
const { referenceGasPrice } = await chain.core.getReferenceGasPrice();
transaction.setSender(address);
transaction.setGasPayment(coins.objects.map(({ id, ...coin }) => ({ ...coin, objectId: id })));
transaction.setGasPrice(BigInt(referenceGasPrice));
transaction.setGasBudget(20_000_000n);
const { digest, effects } = await payer.signAndExecuteTransaction({ transaction, client: chain });
if (!effects.status.success) throw new Error(effects.status.error);
console.log(`paid by ${digest}`);
await reportOrderTransaction(client, { id: order_id, tx_hash: digest });
for await (const { data } of followOrder(client, { id: order_id })) {
  const { status, failure_reason } = data;
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  console.log(`order ${order_id} is ${status}`);
}
