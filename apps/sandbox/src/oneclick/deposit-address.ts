import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  crc16,
  encodeBase58,
  encodeBase58Check,
  encodeBech32,
  encodeCashaddr,
  RIPPLE_ALPHABET,
  type Chain,
} from '@tollbridge/chains';
import { computeAddress, getAddress, hexlify } from 'ethers';

// Version bytes that precede the 20-byte hash of a key.
const hashVersions: Readonly<Record<string, number[]>> = {
  btc: [0x00],
  ltc: [0x30],
  doge: [0x1e],
  dash: [0x4c],
  zec: [0x1c, 0xb8],
};
const tronVersion = 0x41;
const xrpVersion = 0x00;
const stellarVersion = 6 << 3;
const tonNonBounceable = 0x51;
// CIP-19: a payment key without a stake key, on the main network.
const cardanoHeader = 0x61;
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Where a deposit on a chain without a local node goes: well-formed there, and nobody's. */
export function madeUpAddress(chain: Chain, seed: Buffer = randomBytes(32)): string {
  const key = createHash('sha256').update(seed).digest();
  const hash = key.subarray(0, 20);
  switch (chain.family) {
    case 'evm':
      return getAddress(hexlify(hash));
    case 'utxo':
      if (chain.id === 'bch')
        return `bitcoincash:${encodeCashaddr('bitcoincash', Buffer.from([0, ...hash]))}`;
      return encodeBase58Check(Buffer.from([...hashVersions[chain.id]!, ...hash]));
    case 'tron':
      return encodeBase58Check(Buffer.from([tronVersion, ...hash]));
    case 'xrp':
      return encodeBase58Check(Buffer.from([xrpVersion, ...hash]), RIPPLE_ALPHABET);
    case 'solana':
      return encodeBase58(key);
    case 'near':
      return key.toString('hex');
    case 'sui':
    case 'aptos':
      return hexlify(key);
    case 'starknet':
      // Below 2^251, as all its contracts.
      return hexlify(Buffer.from([0x02, ...key.subarray(1)]));
    case 'cardano':
      return encodeBech32('bech32', 'addr', Buffer.from([cardanoHeader, ...key.subarray(0, 28)]));
    case 'aleo':
      return encodeBech32('bech32m', 'aleo', key);
    case 'ton':
      return tonAddress(key);
    case 'stellar':
      return stellarAddress(key);
  }
}

function tonAddress(key: Buffer): string {
  const body = Buffer.from([tonNonBounceable, 0, ...key]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16BE(crc16(body));
  return Buffer.concat([body, checksum]).toString('base64url');
}

function stellarAddress(key: Buffer): string {
  const body = Buffer.from([stellarVersion, ...key]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(body));
  const bits = Array.from(Buffer.concat([body, checksum]), (byte) => byte.toString(2).padStart(8, '0')).join(
    '',
  );
  // 35 bytes are exactly 56 groups of five bits.
  return bits.replace(/.{5}/g, (group) => base32Alphabet.charAt(parseInt(group, 2)));
}

/** The key of a deposit address on a local chain: thrown away with the sandbox, so it may lie in its database. */
export function newDepositKey(): { address: string; privateKey: string } {
  const privateKey = hexlify(randomBytes(32));
  return { address: computeAddress(privateKey), privateKey };
}

/** Digits, since some chains take nothing else as a tag; within their 32 bits. */
export const newMemo = (): string => String(randomInt(1, 2 ** 31));

/** The hash of a transfer that took place in the ledger only, in the form of its chain. */
export function madeUpTxHash(chain: Chain): string {
  const hash = randomBytes(32);
  switch (chain.family) {
    case 'evm':
    case 'aptos':
      return hexlify(hash);
    case 'starknet':
      return hexlify(Buffer.from([0x02, ...hash.subarray(1)]));
    case 'solana':
      return encodeBase58(randomBytes(64));
    case 'near':
    case 'sui':
      return encodeBase58(hash);
    case 'aleo':
      return encodeBech32('bech32m', 'at', hash);
    case 'xrp':
      return hash.toString('hex').toUpperCase();
    case 'utxo':
    case 'tron':
    case 'ton':
    case 'stellar':
    case 'cardano':
      return hash.toString('hex');
  }
}

/** 1Click shares one address per chain in memo mode; the same after each start. */
export const sharedAddress = (chain: Chain): string =>
  madeUpAddress(chain, Buffer.from(`shared ${chain.id}`));

/** Chains that cannot be paid into without a memo. */
export const needsMemo = (chain: Chain): boolean => chain.id === 'stellar';
