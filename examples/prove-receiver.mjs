// Proves that a shop receives payments at an address other than its wallet. The sandbox uses a public test account.
import { createClient, createReceiverChallenge, verifyReceiver } from '@tollbridge/sdk';
import { HDNodeWallet } from 'ethers';

const client = createClient({
  baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000',
  wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
});
const phrase = 'test test test test test test test test test test test junk';
const till = HDNodeWallet.fromPhrase(phrase, undefined, "m/44'/60'/0'/0/3");

const { address, nonce, message } = await createReceiverChallenge(client, { address: till.address });
// The text contains the shop and the address. A person verifies it in the wallet before signing.
const signature = await till.signMessage(message);
console.log(await verifyReceiver(client, { address, nonce, message, signature }));
