import type { BlockRef } from '@tollbridge/chain-port';

/** A block. Its height is its slot. */
export interface SolanaBlock extends BlockRef {
  readonly parentSlot: number;
}

/** A transaction that mentions an address. */
export interface ListedSignature {
  readonly signature: string;
  readonly slot: number;
  readonly isSuccessful: boolean;
}

export interface SolanaInstruction {
  readonly programId: string;
  readonly accounts: readonly string[];
  /** Base58. Decode it only for a known program, and after checking its length. */
  readonly data: string;
  /** True if a program called the instruction, so that signers may not have seen it. */
  readonly isInner: boolean;
}

/** The balance of a token account before or after a transaction. */
export interface TokenBalance {
  readonly account: string;
  readonly mint: string;
  readonly owner: string;
  readonly amountAtomic: bigint;
}

export interface SolanaTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly isSuccessful: boolean;
  readonly accounts: readonly string[];
  /** The first signer pays the fee. */
  readonly signers: readonly string[];
  /** In the order of execution: an instruction, then the instructions that its program called. */
  readonly instructions: readonly SolanaInstruction[];
  /** In lamports, by the positions of `accounts`. */
  readonly before: readonly bigint[];
  readonly after: readonly bigint[];
  readonly tokensBefore: readonly TokenBalance[];
  readonly tokensAfter: readonly TokenBalance[];
}

export interface RecentBlockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}
