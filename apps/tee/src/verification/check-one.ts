import { isStrongKey } from '@tollbridge/nanopay-protocol';
import { crypto_sign_verify_detached as verify } from 'sodium-native';

// With libsodium, which needs half of OpenSSL's time and no object for each key.

/** What is to be checked, one after the other: digest, key, signature. */
export const checkLength = 32 + 32 + 64;
export const verdicts = { wrong: 0, right: 1, weakKey: 2 } as const;

/** @param isNewKey it was never looked at whether the key protects its owner */
export function checkOne(item: Buffer, isNewKey: boolean): number {
  const key = item.subarray(32, 64);
  if (isNewKey && !isStrongKey(key)) return verdicts.weakKey;
  return verify(item.subarray(64), item.subarray(0, 32), key) ? verdicts.right : verdicts.wrong;
}
