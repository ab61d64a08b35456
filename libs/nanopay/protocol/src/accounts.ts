/** A raw TON account: workchain, colon, and 64 lower-case hexadecimal digits. */
export type RawAccount = string;

/** Length of an account in signed messages: workchain (int32) and hash. */
export const accountLength = 36;

const rawForm = /^0:[0-9a-fA-F]{64}$/;
const friendlyForm = /^[A-Za-z0-9+/_-]{48}$/;
const bounceable = 0x11;
const nonBounceable = 0x51;
const testOnly = 0x80;

/**
 * Parses a raw or friendly address. Returns undefined for an unsupported workchain, a wrong checksum, or a testnet-only
 * address on the main network.
 */
export function readAccount(text: string, isTestnet = false): RawAccount | undefined {
  if (rawForm.test(text)) return text.toLowerCase();
  if (!friendlyForm.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const tag = bytes[0]! & ~testOnly;
  if (tag !== bounceable && tag !== nonBounceable) return undefined;
  if ((bytes[0]! & testOnly) !== 0 && !isTestnet) return undefined;
  if (bytes[1] !== 0 || bytes.readUInt16BE(34) !== checksum(bytes.subarray(0, 34))) return undefined;
  return `0:${bytes.toString('hex', 2, 34)}`;
}

/** @param account a valid raw account */
export function accountBytes(raw: RawAccount): Buffer {
  const bytes = Buffer.alloc(accountLength);
  writeAccount(bytes, raw, 0);
  return bytes;
}

/**
 * Writes an account into a buffer.
 * @returns the offset after the account
 */
export function writeAccount(bytes: Buffer, raw: RawAccount, at: number): number {
  const colon = raw.startsWith('0:') ? 1 : raw.indexOf(':');
  bytes.writeInt32BE(colon === 1 ? raw.charCodeAt(0) - 0x30 : Number(raw.slice(0, colon)), at);
  bytes.write(raw.slice(colon + 1), at + 4, 'hex');
  return at + accountLength;
}

export function accountText(bytes: Buffer, offset = 0): RawAccount {
  return `${bytes.readInt32BE(offset)}:${bytes.toString('hex', offset + 4, offset + accountLength)}`;
}

/** Computes CRC-16/XMODEM, the checksum of friendly addresses. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      sum = sum & 0x8000 ? ((sum << 1) ^ 0x1021) & 0xffff : (sum << 1) & 0xffff;
  }
  return sum;
}
