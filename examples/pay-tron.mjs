// Pays an order in USDT on the sandbox's local Tron network, as a wallet does. The order is the reply of create-order in the
// file that is named; without a file, one is created.
import { readFileSync } from 'node:fs';
import { TronWeb } from 'tronweb';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
async function call(path, body) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(api + path, body && init);
  const reply = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(reply)}`);
  return reply;
}

const { rpcUrl, accounts } = (await call('/sandbox')).networks.find(({ family }) => family === 'tron');
const [payer, merchant, feeReceiver] = ['payer', 'merchant', 'fee_receiver'].map((role) =>
  accounts.find((account) => account.role === role),
);
const created = process.argv[2]
  ? JSON.parse(readFileSync(process.argv[2], 'utf8'))
  : await call('/api/v1/pay/create-order', {
      pay_blockchain: 'tron',
      pay_token: 'USDT',
      settle_chain: 'tron',
      settle_token: 'USDT',
      merchant_address: merchant.address,
      merchant_amount: '1000000',
      fee_receiver: feeReceiver.address,
      fee_amount: '5000',
      merchant_id: 'demo-merchant',
      payer_address: payer.address,
    });
const { order_id, direct } = created.order ?? created;

const { trx } = new TronWeb({ fullHost: rpcUrl, privateKey: payer.privateKey });
async function send({ raw_data, ...rest }) {
  // A wallet in the browser signs the same with `tronWeb.trx.sign`.
  const signed = await trx.sign({ visible: false, ...rest, raw_data: JSON.parse(raw_data) });
  const { result, code } = await trx.sendRawTransaction(signed);
  if (!result) throw new Error(`The node rejected the transaction: ${code}`);
  let info = {};
  for (; info.id !== signed.txID; await new Promise((wait) => setTimeout(wait, 200)))
    info = await trx.getUnconfirmedTransactionInfo(signed.txID);
  if (info.result === 'FAILED') throw new Error(`Transaction ${signed.txID} failed: ${info.receipt.result}`);
  return signed.txID;
}

const { approval, transaction } = direct.wallet_call.tron;
if (approval) await send(approval);
const txHash = await send(transaction);
console.log(`paid by ${txHash}`);
const path = `/api/v1/pay/order/${order_id}`;
await call(`${path}/tx`, { tx_hash: txHash });
for (let last = ''; last !== 'settled'; await new Promise((wait) => setTimeout(wait, 200))) {
  const { status, failure_reason } = await call(path);
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  if (status !== last) console.log(`order ${order_id} is ${status}`);
  last = status;
}
