import type { Cell } from '@ton/core';
import { sha256 } from './sha256';
import type { RawAccount } from './accounts';
import { mainnet, type Network } from './networks';

// Hash and depth of the code of wallet W5 (v5r1).
const w5CodeHash = Buffer.from('20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f', 'hex');
const w5CodeDepth = 6;
// Two references, 5 bits (no depth, no flags, code and data, no library), then the depths of code and data.
const stateInitHead = Buffer.from([0x02, 0x01, 0x34, 0, w5CodeDepth, 0, 0]);
// Workchain 0, version 0, subwallet 0, client context.
const w5Context = 0x80000000;

/**
 * Returns the account of the default W5 wallet of a key. The cell has a fixed form and is hashed directly, because this
 * runs for every payment that contains only a key.
 */
export function w5Account(publicKey: Uint8Array, network: Network = mainnet): RawAccount {
  const data = w5Data(publicKey, network);
  // No references, 322 bits: 40 full bytes, two bits and the completion tag.
  const dataHash = sha256(Buffer.from([0x00, 0x51]), data);
  return `0:${sha256(stateInitHead, w5CodeHash, dataHash).toString('hex')}`;
}

/** Signatures allowed (1 bit), seqno 0 (32), wallet id (32), key (256), no extensions (1). */
function w5Data(publicKey: Uint8Array, { globalId }: Network): Buffer {
  const walletId = (globalId ^ w5Context) >>> 0;
  const bits =
    (1n << 321n) | (BigInt(walletId) << 257n) | (BigInt(`0x${Buffer.from(publicKey).toString('hex')}`) << 1n);
  return Buffer.from(((bits << 6n) | 0b100000n).toString(16).padStart(82, '0'), 'hex');
}

interface WalletData {
  bitsBeforeKey: number;
  /** Required value of the first bit; undefined if the bit does not control signatures. */
  takesSignatures?: 0 | 1;
}

const beforeV5: WalletData = { bitsBeforeKey: 64 };

/**
 * Position of the key in the data of each known wallet contract, by code hash. Other contracts are not trusted, because
 * an attacker could choose the bits of their data.
 */
const wallets: Readonly<Record<string, WalletData>> = {
  // v3r1, v3r2, v4r2
  b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581: beforeV5,
  '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599': beforeV5,
  feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0: beforeV5,
  // v5 beta, with a negative seqno while signatures are disabled. The next entry is v5r1.
  f3d7ca53493deedac28b381986a849403cbac3d2c584779af081065af0ac4b93: {
    bitsBeforeKey: 113,
    takesSignatures: 0,
  },
  '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f': {
    bitsBeforeKey: 65,
    takesSignatures: 1,
  },
};

const bagMagic = 0xb5ee9c72;
/** Magic, flags, offset width, and cell count in at most four bytes. */
const headLength = 10;

/** More than the state of any wallet, since the code of v4 has less than a kilobyte. */
export const maxStateInitBytes = 4_096;
/** Known wallets have at most 22 cells. Each cell is hashed, so many small cells would block the process. */
const maxCells = 32;

/**
 * Returns the key in a state-init (a bag of cells). Returns undefined if it belongs to another account, its contract is
 * unknown, or signatures are disabled.
 */
export async function keyOfStateInit(bag: Uint8Array, account: RawAccount): Promise<Buffer | undefined> {
  if (bag.length > maxStateInitBytes || !(cellCount(bag) <= maxCells)) return undefined;
  // Loaded on first use, because most wallets are W5 and send no state-init.
  const { Cell, loadStateInit } = await import('@ton/core');
  try {
    const [root, ...others] = Cell.fromBoc(Buffer.from(bag));
    if (!root || others.length > 0 || `0:${root.hash().toString('hex')}` !== account) return undefined;
    const { code, data } = loadStateInit(root.beginParse());
    return code && data ? keyIn(code, data) : undefined;
  } catch {
    return undefined;
  }
}

/** Cell count in the header; NaN without a valid header. */
function cellCount(bag: Uint8Array): number {
  const head = Buffer.from(bag.buffer, bag.byteOffset, bag.byteLength);
  if (head.length < headLength || head.readUInt32BE(0) !== bagMagic) return NaN;
  const width = head[4]! & 7;
  return width >= 1 && width <= 4 ? head.readUIntBE(6, width) : NaN;
}

function keyIn(code: Cell, data: Cell): Buffer | undefined {
  const wallet = wallets[code.hash().toString('hex')];
  if (!wallet) return undefined;
  const slice = data.beginParse();
  const { bitsBeforeKey, takesSignatures } = wallet;
  if (takesSignatures !== undefined && slice.preloadUint(1) !== takesSignatures) return undefined;
  return slice.skip(bitsBeforeKey).loadBuffer(32);
}
