/** A payment in one short string. It omits the fields that follow from the price and from the W5 wallet of the key. */
export interface CompactToken {
  flags: number;
  nonce: Buffer;
  validAfterS: bigint;
  validBeforeS: bigint;
  resourceHash: Buffer;
  publicKey: Buffer;
  signature: Buffer;
}

export const compactPrefix = 'np1.';
const byteLength = 177;
/** Length of the token. */
export const compactLength: number = compactPrefix.length + Math.ceil((byteLength * 4) / 3);

export function compactToken(token: CompactToken): string {
  const bytes = Buffer.alloc(byteLength);
  let at = bytes.writeUInt8(token.flags, 0);
  at += token.nonce.copy(bytes, at, 0, 32);
  at = bytes.writeBigUInt64BE(token.validAfterS, at);
  at = bytes.writeBigUInt64BE(token.validBeforeS, at);
  at += token.resourceHash.copy(bytes, at, 0, 32);
  at += token.publicKey.copy(bytes, at, 0, 32);
  token.signature.copy(bytes, at, 0, 64);
  return compactPrefix + bytes.toString('base64url');
}

/** Returns undefined unless the string is a compact token in its canonical form. */
export function readCompactToken(text: string): CompactToken | undefined {
  if (text.length !== compactLength || !text.startsWith(compactPrefix)) return undefined;
  const bytes = Buffer.from(text.slice(compactPrefix.length), 'base64url');
  if (bytes.length !== byteLength || bytes.toString('base64url') !== text.slice(compactPrefix.length))
    return undefined;
  return {
    flags: bytes[0]!,
    nonce: bytes.subarray(1, 33),
    validAfterS: bytes.readBigUInt64BE(33),
    validBeforeS: bytes.readBigUInt64BE(41),
    resourceHash: bytes.subarray(49, 81),
    publicKey: bytes.subarray(81, 113),
    signature: bytes.subarray(113, 177),
  };
}
