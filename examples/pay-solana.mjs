// Pays an order on the sandbox's local Solana network. The order comes from standard input, or from the file that is named.
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

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const reply = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
const { order_id, direct } = reply.order ?? reply;
const { networks } = await (await fetch(`${api}/sandbox`)).json();
const { rpcUrl, accounts } = networks.find(({ family }) => family === 'solana');
const { privateKey } = accounts.find(({ role }) => role === 'payer');
const keys = await createKeyPairFromBytes(getBase58Encoder().encode(privateKey));
// The wallet signs the transaction as the API returned it. It is valid for about a minute.
const { transaction } = direct.wallet_call.solana;
const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
const wire = getBase64EncodedWireTransaction(await signTransaction([keys], unsigned));
const sending = { encoding: 'base64', preflightCommitment: 'confirmed' };
const signature = await createSolanaRpc(rpcUrl).sendTransaction(wire, sending).send();
console.log(`paid by ${signature}`);
const url = `${api}/api/v1/pay/order/${order_id}`;
const body = JSON.stringify({ tx_hash: signature });
await fetch(`${url}/tx`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
for (let last = ''; last !== 'settled'; await new Promise((wait) => setTimeout(wait, 200))) {
  const { status, failure_reason } = await (await fetch(url)).json();
  if (['failed', 'expired'].includes(status)) throw new Error(failure_reason ?? status);
  if (status !== last) console.log(`order ${order_id} is ${status}`);
  last = status;
}
