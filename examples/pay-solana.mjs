// Pays an order on the sandbox's local Solana network. Reads the order from standard input or a file.
import { readFileSync } from 'node:fs';
import {
  createKeyPairFromBytes,
  createSolanaRpc,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  signTransaction,
} from '@solana/kit';
import { createClient, followOrder, getSandbox, reportOrderTransaction } from '@tollbridge/sdk';

const client = createClient({ baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000' });
const reply = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
const { order_id, direct } = reply.order ?? reply;
const { networks } = await getSandbox(client);
const { rpcUrl, accounts } = networks.find(({ family }) => family === 'solana');
const { privateKey } = accounts.find(({ role }) => role === 'payer');
const keys = await createKeyPairFromBytes(getBase58Encoder().encode(privateKey));
// The wallet signs the transaction from the API unchanged. It is valid for about a minute.
const { transaction } = direct.wallet_call.solana;
const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
const wire = getBase64EncodedWireTransaction(await signTransaction([keys], unsigned));
const sending = { encoding: 'base64', preflightCommitment: 'confirmed' };
const signature = await createSolanaRpc(rpcUrl).sendTransaction(wire, sending).send();
console.log(`paid by ${signature}`);
await reportOrderTransaction(client, { id: order_id, tx_hash: signature });
for await (const { data } of followOrder(client, { id: order_id })) {
  const { status, failure_reason } = data;
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  console.log(`order ${order_id} is ${status}`);
}
