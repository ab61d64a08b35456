// Buyers of the benchmark, the same in every process and run. Each has a key and the wallet that is derived from it.
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { beginCell, storeStateInit } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';

export const buyerCount = 1_000;

// PKCS #8 prefix of an Ed25519 seed of 32 bytes.
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param {Buffer} seed 32 bytes */
export function buyerOf(seed) {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const verifyKey = createPublicKey(privateKey);
  const publicKey = Buffer.from(verifyKey.export({ format: 'jwk' }).x, 'base64url');
  const wallet = WalletContractV5R1.create({ workchain: 0, publicKey });
  return {
    address: wallet.address.toRawString(),
    publicKey: publicKey.toString('hex'),
    privateKey,
    verifyKey,
    /** Returns the BoC in base64 that proves the key of an undeployed wallet. */
    stateInit: () => beginCell().store(storeStateInit(wallet.init)).endCell().toBoc().toString('base64'),
  };
}

/** Returns the same buyers in each process, so that servers can derive the list. */
export function makeBuyers(count = buyerCount) {
  const seedOf = (index) => createHash('sha256').update(`buyer ${index} of the bench`).digest();
  return Array.from({ length: count }, (_, index) => buyerOf(seedOf(index)));
}
