import { signingKey, type SigningKey } from '@tollbridge/nanopay-protocol';
import { createHash } from 'node:crypto';
import { highloadAddress, type HighloadWallet } from './highload-wallet';

/** A publicly known key pair for the local sandbox only, where it protects nothing of value. */
export interface SandboxKey extends SigningKey {
  seed: Buffer;
}

/** @param purpose for example `nano-payment enclave` */
export function sandboxKey(purpose: string): SandboxKey {
  const seed = createHash('sha256').update(`tollbridge sandbox: ${purpose}`).digest();
  return { seed, ...signingKey(seed) };
}

/** Returns the deposit wallet of the sandbox, which pays sellers. The payment ledger service has its key. */
export function sandboxEnclaveWallet(): {
  key: SandboxKey;
  wallet: HighloadWallet;
  address(): Promise<string>;
} {
  const key = sandboxKey('nano-payment enclave');
  const wallet = { publicKey: key.publicKey, timeoutS: 86_400 };
  return { key, wallet, address: () => highloadAddress(wallet) };
}
