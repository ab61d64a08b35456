import { readAmount, readAmountNumber, readTextLike } from '@tollbridge/http';

const maxU64 = 0xffff_ffff_ffff_ffffn;

/** Parses an amount of lamports: a plain number of at most 64 bits. */
export const readLamports = (value: unknown, path: string): bigint => readAmountNumber(value, path, maxU64);

/** Parses a token amount: digits in quotes. */
export const readTokenAmount = (value: unknown, path: string): bigint => readAmount(value, path, maxU64);

/** Parses an address or a block hash: 32 bytes in base58. */
export const readAddress = (value: unknown, path: string): string =>
  readTextLike(value, path, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'an address');

/** Parses a signature: 64 bytes in base58. */
export const readSignature = (value: unknown, path: string): string =>
  readTextLike(value, path, /^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'a signature');
