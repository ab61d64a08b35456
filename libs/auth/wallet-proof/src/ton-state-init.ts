import type { Cell } from '@ton/core';

export interface TonStateInit {
  /** Hash of the state-init, which is the account's address within its workchain. */
  hash: Buffer;
  /** Public key of the wallet; undefined for unknown code, because its data layout is unknown. */
  publicKey: Buffer | undefined;
}

/**
 * Number of bits before the public key in the data of each wallet contract, by the hash of its code. Only these
 * contracts are trusted: in another contract an attacker may choose the same bits.
 */
const bitsBeforeKey: Readonly<Record<string, number>> = {
  // v3r1 and v3r2: seqno and subwallet id come before the key.
  b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581: 64,
  '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599': 64,
  // v4r1 and v4r2: seqno and subwallet id before the key, plugins after it.
  '64dd54805522c5be8a9db59cea0105ccf0d08786ca79beb8cb79e880a8d7322d': 64,
  feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0: 64,
  // v5r1, with code as a library reference: before the key come a flag for signatures, seqno and wallet id.
  '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f': 65,
};

/** Parses a state-init; undefined unless it has code and data. */
export async function readStateInit(base64: string): Promise<TonStateInit | undefined> {
  // Loaded at the first TON sign-in, because the library needs 50 ms and 12 MB.
  const { Cell, loadStateInit } = await import('@ton/core');
  try {
    const root = Cell.fromBase64(base64);
    const { code, data } = loadStateInit(root.beginParse());
    return code && data ? { hash: root.hash(), publicKey: publicKeyOf(code, data) } : undefined;
  } catch {
    return undefined;
  }
}

function publicKeyOf(code: Cell, data: Cell): Buffer | undefined {
  const bits = bitsBeforeKey[code.hash().toString('hex')];
  return bits === undefined ? undefined : data.beginParse().skip(bits).loadBuffer(32);
}
