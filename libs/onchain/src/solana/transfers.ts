import { concatBytes } from '@noble/hashes/utils';
import type { AccountMeta, Instruction } from './instructions';
import { memoProgram, systemProgram } from './keys';
import { u64ToBytes } from './order';
import { tokenAccountAddress } from './program-address';

// Tags of `Transfer` of the System program, and of `TransferChecked` of SPL Token and Token-2022.
const transferTag = 2;
const transferChecked = 12;

export interface TokenTransfer {
  /** Owners of the token accounts. */
  readonly from: string;
  readonly to: string;
  readonly mint: string;
  /** Owner program of the mint. */
  readonly tokenProgram: string;
  readonly amountAtomic: bigint;
  /** Decimals of the mint. The program rejects any other number. */
  readonly decimals: number;
}

/** Creates an instruction that transfers lamports. */
export function coinTransferInstruction(from: string, to: string, lamports: bigint): Instruction {
  return {
    programId: systemProgram,
    accounts: [writable(from, true), writable(to)],
    data: concatBytes(Uint8Array.of(transferTag, 0, 0, 0), u64ToBytes(lamports)),
  };
}

/**
 * Creates an instruction that transfers between the associated token accounts of two owners. The transaction must
 * create a missing account before it.
 */
export function tokenTransferInstruction(transfer: TokenTransfer): Instruction {
  const { from, to, mint, tokenProgram, amountAtomic, decimals } = transfer;
  const accountOf = (owner: string) => tokenAccountAddress(owner, mint, tokenProgram);
  return {
    programId: tokenProgram,
    accounts: [
      writable(accountOf(from)),
      { address: mint, isSigner: false, isWritable: false },
      writable(accountOf(to)),
      writable(from, true),
    ],
    data: concatBytes(Uint8Array.of(transferChecked), u64ToBytes(amountAtomic), Uint8Array.of(decimals)),
  };
}

/** Creates an instruction with a memo. Receivers that require a memo expect it before the transfer. */
export const memoInstruction = (text: string): Instruction => ({
  programId: memoProgram,
  accounts: [],
  data: Uint8Array.from(Buffer.from(text, 'utf8')),
});

const writable = (address: string, isSigner = false): AccountMeta => ({
  address,
  isSigner,
  isWritable: true,
});
