import { ProviderError } from '@tollbridge/http';
import type { TonAccountReader } from './account-reader';
import { numberAt, type GetMethodResult } from './get-method-stack';

type GetMethods = Pick<TonAccountReader, 'runGetMethod'>;

// Get methods of W5 and its beta. Other wallets have neither, because their signatures are always enabled.
const allowingMethods = ['is_signature_allowed', 'get_is_signature_auth_allowed'];
const noSuchMethod = 11;

/** `switchedOff`: the wallet accepts no signatures. `none`: the account is not deployed or is not a wallet. */
export type WalletKey = { kind: 'key'; publicKey: Buffer } | { kind: 'switchedOff' } | { kind: 'none' };

/**
 * Reads the Ed25519 key that a wallet accepts now. The key may have changed since the deployment, and the owner of a W5
 * wallet can disable signatures. So cache the result only briefly.
 * @throws ProviderError
 */
export async function signingKeyOf(reader: GetMethods, address: string): Promise<WalletKey> {
  const key = await reader.runGetMethod(address, 'get_public_key');
  if (key.exitCode !== 0) return { kind: 'none' };
  const bits = numberIn(key);
  if (bits <= 0n || bits >= 2n ** 256n) return { kind: 'none' };
  if (!(await takesSignatures(reader, address))) return { kind: 'switchedOff' };
  return { kind: 'key', publicKey: Buffer.from(bits.toString(16).padStart(64, '0'), 'hex') };
}

async function takesSignatures(reader: GetMethods, address: string): Promise<boolean> {
  for (const method of allowingMethods) {
    const allowed = await reader.runGetMethod(address, method);
    if (allowed.exitCode !== noSuchMethod) return allowed.exitCode === 0 && numberIn(allowed) !== 0n;
  }
  return true;
}

function numberIn(result: GetMethodResult): bigint {
  try {
    return numberAt(result, 0);
  } catch {
    throw new ProviderError('toncenter', { kind: 'badReply', message: 'the wallet names no key' });
  }
}
