import {
  addressFromBytes,
  addressToBytes,
  splTokenProgram,
  token2022Program,
} from '@tollbridge/onchain/solana';
import type { AccountState } from './solana.repository';

/** Lengths of the base layouts that both token programs use: https://github.com/solana-program/token */
const [mintBytes, accountBytes] = [82, 165];
// Token-2022 stores the account type after the longer layout.
const [mintType, accountType] = [1, 2];
const [initialized, frozen] = [1, 2];

export interface TokenAccount {
  mint: string;
  owner: string;
  amount: bigint;
  isFrozen: boolean;
  programId: string;
}

export interface Mint {
  decimals: number;
  supply: bigint;
  programId: string;
}

export function readTokenAccount({ owner: programId, data }: AccountState): TokenAccount | undefined {
  const isAccount = data.length === accountBytes || data[accountBytes] === accountType;
  const state = data[108];
  if (!isTokenProgram(programId) || !isAccount || (state !== initialized && state !== frozen))
    return undefined;
  return {
    mint: addressFromBytes(data.subarray(0, 32)),
    owner: addressFromBytes(data.subarray(32, 64)),
    amount: Buffer.from(data.subarray(64, 72)).readBigUInt64LE(),
    isFrozen: state === frozen,
    programId,
  };
}

export function readMint({ owner: programId, data }: AccountState): Mint | undefined {
  const isMint = data.length === mintBytes || (data.length > accountBytes && data[accountBytes] === mintType);
  if (!isTokenProgram(programId) || !isMint || data[45] !== 1) return undefined;
  return {
    decimals: data[44]!,
    supply: Buffer.from(data.subarray(36, 44)).readBigUInt64LE(),
    programId,
  };
}

const isTokenProgram = (program: string): boolean =>
  program === splTokenProgram || program === token2022Program;

export function mintData(authority: string, supply: bigint, decimals: number): Uint8Array {
  const data = Buffer.alloc(mintBytes);
  data.writeUInt32LE(1, 0);
  data.set(addressToBytes(authority), 4);
  data.writeBigUInt64LE(supply, 36);
  data[44] = decimals;
  data[45] = initialized;
  return data;
}

export function tokenAccountData(mint: string, owner: string, amount: bigint): Uint8Array {
  const data = Buffer.alloc(accountBytes);
  data.set(addressToBytes(mint), 0);
  data.set(addressToBytes(owner), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = initialized;
  return data;
}
