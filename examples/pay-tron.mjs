// Pays an order on the sandbox's local Tron network. Reads the order from standard input or a file.
import { readFileSync } from 'node:fs';
import { TronWeb } from 'tronweb';
import { createClient, followOrder, getSandbox, reportOrderTransaction } from '@tollbridge/sdk';

const client = createClient({ baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000' });
const reply = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
const { order_id, direct } = reply.order ?? reply;
const { networks } = await getSandbox(client);
const { rpcUrl, accounts } = networks.find(({ family }) => family === 'tron');
const { privateKey } = accounts.find(({ role }) => role === 'payer');
const { trx } = new TronWeb({ fullHost: rpcUrl, privateKey });
async function send({ raw_data, ...rest }) {
  // A browser wallet signs the same data with `tronWeb.trx.sign`.
  const signed = await trx.sign({ visible: false, ...rest, raw_data: JSON.parse(raw_data) });
  const { result, code } = await trx.sendRawTransaction(signed);
  if (!result) throw new Error(`The node rejected the transaction: ${code}`);
  let info = {};
  for (; info.id !== signed.txID; await new Promise((wait) => setTimeout(wait, 200)))
    info = await trx.getUnconfirmedTransactionInfo(signed.txID);
  if (info.result === 'FAILED') throw new Error(`Transaction ${signed.txID} failed: ${info.receipt.result}`);
  return signed.txID;
}
// Tokens need an approval for the payment contract first.
const { approval, transaction } = direct.wallet_call.tron;
if (approval) await send(approval);
const txHash = await send(transaction);
console.log(`paid by ${txHash}`);
await reportOrderTransaction(client, { id: order_id, tx_hash: txHash });
for await (const { data } of followOrder(client, { id: order_id })) {
  const { status, failure_reason } = data;
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  console.log(`order ${order_id} is ${status}`);
}
