const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** How Solana writes signatures. `@scure/base` would add 2 kB to the checkout, which has 13.5. */
export function base58(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)]! + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
