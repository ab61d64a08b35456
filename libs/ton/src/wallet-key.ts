import { ProviderError } from '@tollbridge/providers';
import type { TonAccountReader } from './account-reader';
import { numberAt, type GetMethodResult } from './get-method-stack';

// A wallet that has no such method always takes signatures.
const noSuchMethod = 11;

/**
 * The Ed25519 key whose signatures a wallet takes now, as the wallet itself says: what the state-init of an address tells
 * may have changed since it was deployed, and an owner of W5 can switch signatures off. To be kept for a while at most.
 * Undefined for an account that is not deployed, for a contract that is no wallet, and for signatures that are switched off.
 * @throws ProviderError
 */
export async function signingKeyOf(
  reader: Pick<TonAccountReader, 'runGetMethod'>,
  address: string,
): Promise<Buffer | undefined> {
  const key = await reader.runGetMethod(address, 'get_public_key');
  if (key.exitCode !== 0) return undefined;
  const allowed = await reader.runGetMethod(address, 'is_signature_allowed');
  const isAllowed = allowed.exitCode === noSuchMethod || (allowed.exitCode === 0 && numberIn(allowed) !== 0n);
  const bits = numberIn(key);
  if (!isAllowed || bits <= 0n || bits >= 2n ** 256n) return undefined;
  return Buffer.from(bits.toString(16).padStart(64, '0'), 'hex');
}

function numberIn(result: GetMethodResult): bigint {
  try {
    return numberAt(result, 0);
  } catch {
    throw new ProviderError('toncenter', { kind: 'badReply', message: 'the wallet names no key' });
  }
}
