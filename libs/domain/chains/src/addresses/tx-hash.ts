// 64 digits without 0x are a hash of Bitcoin, Tron and others.
const hexadecimal = /^(0x[0-9a-fA-F]+|[0-9a-fA-F]{64})$/;

/** The canonical spelling of a transaction's hash on any chain: hexadecimal has no case; base58 and base64 have. */
export function canonicalTxHash(text: string): string {
  return hexadecimal.test(text) ? text.toLowerCase() : text;
}
