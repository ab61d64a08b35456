import { accountBytes, type RawAccount } from './accounts';
import { sha256 } from './sha256';

/** Fields that a wallet adds when it signs by TON Connect `signData`. */
export interface WalletDialog {
  domain: string;
  /** Unix seconds on the wallet's clock. */
  timestampS: number;
}

export const maxDomainBytes = 127;
/** Tolerance for clock differences of phones, and for the time that a person needs. */
export const maxDialogSkewS = 600;

const start = Buffer.concat([Buffer.from('ffff', 'hex'), Buffer.from('ton-connect/sign-data/')]);

/** The digest that a wallet signs for `signData` of type binary. */
export function dialogDigest(
  account: RawAccount,
  { domain, timestampS }: WalletDialog,
  data: Uint8Array,
): Buffer {
  const name = Buffer.from(domain);
  const numbers = Buffer.alloc(16);
  numbers.writeUInt32BE(name.length, 0);
  numbers.writeBigUInt64BE(BigInt(timestampS), 4);
  numbers.writeUInt32BE(data.length, 12);
  return sha256(
    start,
    accountBytes(account),
    numbers.subarray(0, 4),
    name,
    numbers.subarray(4, 12),
    Buffer.from('bin'),
    numbers.subarray(12),
    data,
  );
}
