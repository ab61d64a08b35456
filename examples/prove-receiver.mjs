// Proves that a shop is paid at an address that is not its wallet. In the sandbox the address is a public test account.
import { HDNodeWallet } from 'ethers';

const api = process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000';
const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const phrase = 'test test test test test test test test test test test junk';
const till = HDNodeWallet.fromPhrase(phrase, undefined, "m/44'/60'/0'/0/3");

async function post(path, body) {
  const headers = { 'content-type': 'application/json', 'x-wallet': shop };
  const reply = await fetch(api + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

const { address, nonce, message } = await post('/api/receivers/challenge', { address: till.address });
// The text names the shop and the address. A person checks it in their wallet before they sign.
const signature = await till.signMessage(message);
console.log(await post('/api/receivers/verify', { address, nonce, message, signature }));
