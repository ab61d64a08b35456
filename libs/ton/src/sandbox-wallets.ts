import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { highloadAddress, type HighloadWallet } from './highload-wallet';

/** A key that everybody can compute: for the local world only, where it holds nothing of worth. */
export interface SandboxKey {
  seed: Buffer;
  publicKey: Buffer;
  sign(hash: Uint8Array): Buffer;
}

// What stands before the 32 bytes of a seed, and of a public key, in the forms that node reads and writes.
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicKeyBytes = 32;

/** @param purpose such as `nano-payment enclave` */
export function sandboxKey(purpose: string): SandboxKey {
  const seed = createHash('sha256').update(`tollbridge sandbox: ${purpose}`).digest();
  const key: KeyObject = createPrivateKey({
    ...{ key: Buffer.concat([seedPrefix, seed]), format: 'der', type: 'pkcs8' },
  });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const publicKey = spki.subarray(spki.length - publicKeyBytes);
  return { seed, publicKey, sign: (hash) => sign(null, hash, key) };
}

/** The wallet to which people of the sandbox deposit, and from which sellers are paid: its key is the enclave's. */
export function sandboxEnclaveWallet(): {
  key: SandboxKey;
  wallet: HighloadWallet;
  address(): Promise<string>;
} {
  const key = sandboxKey('nano-payment enclave');
  const wallet = { publicKey: key.publicKey, timeoutS: 86_400 };
  return { key, wallet, address: () => highloadAddress(wallet) };
}
