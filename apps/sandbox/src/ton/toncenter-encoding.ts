// Encodings that several replies of toncenter share.
import type { Cell } from '@ton/core';

export const base64Of = (cell: Cell): string => cell.toBoc().toString('base64');

export const base64OfHash = (hash: bigint): string =>
  Buffer.from(hash.toString(16).padStart(64, '0'), 'hex').toString('base64');

/** Returns the `@extra` field, which clients may use to measure the delay of the node. */
export const extra = (nowMs: number): string => `${nowMs / 1_000}:0:0.0`;

export const describeTransactionId = (lt: bigint, hash: string): object => ({
  '@type': 'internal.transactionId',
  lt: String(lt),
  hash,
});
