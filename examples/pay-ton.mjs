// Pays an order on the sandbox's TON network. Reads the order from standard input or a file.
import { readFileSync } from 'node:fs';
import { Address, beginCell, Cell, internal, SendMode, storeMessage } from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { createClient, followOrder, getSandbox, reportOrderTransaction } from '@tollbridge/sdk';

const client = createClient({ baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000' });
const reply = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
const { order_id, direct } = reply.order ?? reply;
const { networks } = await getSandbox(client);
const { rpcUrl, accounts } = networks.find(({ family }) => family === 'ton');
const chain = new TonClient({ endpoint: rpcUrl });
const mnemonic = accounts.find(({ role }) => role === 'payer').privateKey;
const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '));
const wallet = chain.open(WalletContractV4.create({ workchain: 0, publicKey }));
// The messages have the format of TON Connect's sendTransaction.
const messages = direct.wallet_call.ton.messages.map(({ address, amount, payload }) =>
  internal({ to: Address.parse(address), value: BigInt(amount), body: Cell.fromBase64(payload) }),
);
const seqno = await wallet.getSeqno();
const transfer = { seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY };
const signed = wallet.createTransfer(transfer);
await wallet.send(signed);
// The hash of the message also identifies the transaction (TEP-467).
const info = { type: 'external-in', dest: wallet.address, importFee: 0n };
const message = beginCell().store(storeMessage({ info, body: signed }, { forceRef: true }));
const txHash = message.endCell().hash().toString('hex');
console.log(`paid by ${txHash}`);
await reportOrderTransaction(client, { id: order_id, tx_hash: txHash });
for await (const { data } of followOrder(client, { id: order_id })) {
  const { status, failure_reason } = data;
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  console.log(`order ${order_id} is ${status}`);
}
