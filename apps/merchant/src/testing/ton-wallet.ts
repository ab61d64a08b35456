import { beginCell, storeStateInit } from '@ton/core';
import { WalletContractV4 } from '@ton/ton';
import { createHash } from 'node:crypto';
import nacl from 'tweetnacl';

const tonKey = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(9));
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** A TON wallet for tests, and its address in the user-friendly form of wallets. */
export const tonContract = WalletContractV4.create({
  workchain: 0,
  publicKey: Buffer.from(tonKey.publicKey),
});
export const tonAddress = tonContract.address.toString({ bounceable: false });

/** Signs a payload like a wallet with TON Connect. @param timestamp in Unix seconds */
export function tonProof(payload: string, timestamp: number, domain = 'shop.example') {
  const [length, time] = [Buffer.alloc(4), Buffer.alloc(8)];
  length.writeUInt32LE(domain.length);
  time.writeBigUInt64LE(BigInt(timestamp));
  const item = sha256(
    Buffer.from('ton-proof-item-v2/'),
    Buffer.alloc(4),
    tonContract.address.hash,
    length,
    Buffer.from(domain),
    time,
    Buffer.from(payload),
  );
  const digest = sha256(Buffer.from([0xff, 0xff]), Buffer.from('ton-connect'), item);
  const stateInit = beginCell().store(storeStateInit(tonContract.init)).endCell();
  return {
    timestamp,
    domain: { lengthBytes: domain.length, value: domain },
    payload,
    signature: Buffer.from(nacl.sign.detached(digest, tonKey.secretKey)).toString('base64'),
    stateInit: stateInit.toBoc().toString('base64'),
  };
}
