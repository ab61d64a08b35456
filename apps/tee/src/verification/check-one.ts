import { isStrongKey } from '@tollbridge/nanopay-protocol';
import { crypto_sign_verify_detached as verify } from 'sodium-native';

// libsodium needs half the time of OpenSSL, and no object per key (row `tollbridge: paid`).

/** Bytes of one check: digest, key, signature. */
export const checkLength = 32 + 32 + 64;
export const verdicts = { wrong: 0, right: 1, weakKey: 2 } as const;

/** @param isNewKey whether the key was never checked for weakness */
export function checkOne(item: Buffer, isNewKey: boolean): number {
  const key = item.subarray(32, 64);
  if (isNewKey && !isStrongKey(key)) return verdicts.weakKey;
  return verify(item.subarray(64), item.subarray(0, 32), key) ? verdicts.right : verdicts.wrong;
}
