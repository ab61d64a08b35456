import { createHash, randomBytes, randomInt } from 'node:crypto';
import { base32nopad, base58, base58xrp, bech32, bech32m, createBase58check, utils } from '@scure/base';
import { crc16, encodeCashaddr, type Chain } from '@tollbridge/chains';
import { computeAddress, getAddress, hexlify } from 'ethers';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const base58Check = createBase58check(sha256);
const xrpCheck = utils.chain(
  utils.checksum(4, (payload: Uint8Array) => sha256(sha256(payload))),
  base58xrp,
);
const bech32mText = (prefix: string, bytes: Uint8Array): string =>
  bech32m.encode(prefix, bech32m.toWords(bytes), false);

// Version bytes before the 20-byte hash of a key.
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

/** Returns a deposit address on a chain without a local node. It is well-formed, and its key is unknown. */
export function generateAddress(chain: Chain, seed: Buffer = randomBytes(32)): string {
  const key = createHash('sha256').update(seed).digest();
  const hash = key.subarray(0, 20);
  switch (chain.family) {
    case 'evm':
      return getAddress(hexlify(hash));
    case 'utxo':
      if (chain.id === 'bch')
        return `bitcoincash:${encodeCashaddr('bitcoincash', Buffer.from([0, ...hash]))}`;
      return base58Check.encode(Buffer.from([...hashVersions[chain.id]!, ...hash]));
    case 'tron':
      return base58Check.encode(Buffer.from([tronVersion, ...hash]));
    case 'xrp':
      return xrpCheck.encode(Buffer.from([xrpVersion, ...hash]));
    case 'solana':
      return base58.encode(key);
    case 'near':
      return key.toString('hex');
    case 'sui':
    case 'aptos':
      return hexlify(key);
    case 'starknet':
      // Below 2^251, as for all contracts of Starknet.
      return hexlify(Buffer.from([0x02, ...key.subarray(1)]));
    case 'cardano':
      return bech32.encode(
        'addr',
        bech32.toWords(Buffer.from([cardanoHeader, ...key.subarray(0, 28)])),
        false,
      );
    case 'aleo':
      return bech32mText('aleo', key);
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
  return base32nopad.encode(Buffer.concat([body, checksum]));
}

/** Private key of a deposit address on a local chain. Its coins have no value, so the database may store it. */
export function newDepositKey(): { address: string; privateKey: string } {
  const privateKey = hexlify(randomBytes(32));
  return { address: computeAddress(privateKey), privateKey };
}

/** Returns digits below 2^31, because some chains accept only such numbers as a tag. */
export const newMemo = (): string => String(randomInt(1, 2 ** 31));

/** Returns the hash of a transfer that exists only in the ledger, in the format of its chain. */
export function generateTxHash(chain: Chain): string {
  const hash = randomBytes(32);
  switch (chain.family) {
    case 'evm':
    case 'aptos':
      return hexlify(hash);
    case 'starknet':
      return hexlify(Buffer.from([0x02, ...hash.subarray(1)]));
    case 'solana':
      return base58.encode(randomBytes(64));
    case 'near':
    case 'sui':
      return base58.encode(hash);
    case 'aleo':
      return bech32mText('at', hash);
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

/** Returns the shared address of a chain in memo mode. It is the same after each start. */
export const sharedAddress = (chain: Chain): string =>
  generateAddress(chain, Buffer.from(`shared ${chain.id}`));

/** Chains that require a memo for deposits. */
export const needsMemo = (chain: Chain): boolean => chain.id === 'stellar';
