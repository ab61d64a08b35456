const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const form = /^[1-9A-HJ-NP-Za-km-z]*$/;

export function encodeBase58(bytes: Uint8Array): string {
  const zeros = leading(bytes, 0);
  let value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)]! + text;
  return '1'.repeat(zeros) + text;
}

/** Exactly so many bytes; undefined for anything else. */
export function decodeBase58(text: string, byteLength: number): Buffer | undefined {
  // Each character has more than five bits.
  if (text.length > byteLength * 2 || !form.test(text)) return undefined;
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(alphabet.indexOf(character));
  const hex = value === 0n ? '' : value.toString(16);
  const digits = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const bytes = Buffer.concat([Buffer.alloc(leading(text, '1')), digits]);
  return bytes.length === byteLength ? bytes : undefined;
}

function leading(values: ArrayLike<unknown>, value: unknown): number {
  let count = 0;
  while (count < values.length && values[count] === value) count++;
  return count;
}
