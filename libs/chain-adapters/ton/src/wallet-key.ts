import { ProviderError } from '@tollbridge/http';
import type { TonAccountReader } from './account-reader';
import { numberAt, type GetMethodResult } from './get-method-stack';

type GetMethods = Pick<TonAccountReader, 'runGetMethod'>;

// Get methods of W5 and its beta. Other wallets have neither: their signatures are always enabled.
const allowingMethods = ['is_signature_allowed', 'get_is_signature_auth_allowed'];
const noSuchMethod = 11;

/**
 * Reads the Ed25519 key that a wallet accepts now. The key of its state-init may have changed since the deployment, and
 * the owner of a W5 wallet can disable signatures. So cache it only briefly. Undefined for an account that is not
 * deployed, and for a contract that is not a wallet.
 * @throws ProviderError
 */
export async function signingKeyOf(
  reader: GetMethods,
  address: string,
): Promise<Buffer | 'switched off' | undefined> {
  const key = await reader.runGetMethod(address, 'get_public_key');
  if (key.exitCode !== 0) return undefined;
  const bits = numberIn(key);
  if (bits <= 0n || bits >= 2n ** 256n) return undefined;
  if (!(await takesSignatures(reader, address))) return 'switched off';
  return Buffer.from(bits.toString(16).padStart(64, '0'), 'hex');
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
