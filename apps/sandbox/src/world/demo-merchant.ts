import type { SandboxMerchant } from '@tollbridge/api';
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < length; digit++) {
    text = alphabet[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}

/** `tb_test_pk_…`: 192 random bits and a checksum, by which a typing mistake is told from a revoked key. */
export function newApiKey(prefix: 'tb_test_pk_' | 'tb_test_sk_'): string {
  const body = prefix + base62(randomBytes(24), 33);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return body + base62(checksum, 6);
}

export function newDemoMerchant(wallet: string): SandboxMerchant {
  return {
    wallet,
    merchantId: 'demo-merchant',
    key: newApiKey('tb_test_pk_'),
    secret: newApiKey('tb_test_sk_'),
  };
}
