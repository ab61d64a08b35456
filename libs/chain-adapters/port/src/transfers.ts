import type { Chain, Token } from '@tollbridge/chains';
import { createHash } from 'node:crypto';
import type { BlockRef } from './chain-events';

/** A transaction, and the transfers to read in it: of one token to one receiver. */
export interface WantedTransfers {
  /** Canonical (`canonicalTxHash`), and of the chain's form (`isTxHash`). */
  readonly txHash: string;
  readonly token: Pick<Token, 'address'>;
  readonly receiver: string;
  /** The block that contained the transaction at the previous read; null for the first read. */
  readonly seenIn: Pick<BlockRef, 'height' | 'hash'> | null;
}

/** Amounts may be 0: anyone can make a token record a transfer of nothing in any name. */
export interface ReceivedTransfer {
  readonly txHash: string;
  /**
   * Unique in its transaction, whatever the receiver and the token; `ownValue` for the value of the transaction itself.
   */
  readonly logIndex: number;
  readonly from: string;
  readonly amountAtomic: bigint;
}

/** A transfer of another token than the wanted one. Never of nothing, and never from the receiver itself. */
export interface OtherTransfer extends ReceivedTransfer {
  /** Null for the coin. */
  readonly tokenAddress: string | null;
}

/** The most of them that are shown of one transaction: anyone can make tokens. */
export const maxOtherTransfers = 8;

/** The log index of a transaction's own value, which has no log. */
export const ownValue = -1;

/**
 * The log index on chains that show only what an account gained in a transaction, and no single transfers. One
 * transaction may pay several receivers, each in several tokens. An attacker can make two accounts with equal indexes;
 * then only one of the transfers counts.
 * @param token null for the coin
 * @returns a number of 31 bits
 */
export function gainIndex(receiver: string, token: string | null): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([receiver, token]))
    .digest();
  return digest.readUInt32BE(0) >>> 1;
}

export type TransferRead =
  /** The node contradicts itself, or lacks the block that contained the transaction. Nothing is known. */
  | { readonly kind: 'unavailable' }
  /** The transaction is in no block; `chainTimeMs` is the time of the newest one. */
  | { readonly kind: 'unmined'; readonly chainTimeMs: number }
  | MinedTransfers;

export interface MinedTransfers {
  readonly kind: 'mined';
  readonly block: Pick<BlockRef, 'height' | 'hash' | 'timeMs'>;
  /** Blocks, the transaction's own included. */
  readonly confirmations: number;
  /** A transaction that failed transfers nothing. */
  readonly isSuccessful: boolean;
  /** In the wanted token to the wanted receiver. Coins that a contract sends may be missing: see `receivedCoins`. */
  readonly transfers: readonly ReceivedTransfer[];
  /** To the wanted receiver, in other tokens that a node can show: at most `maxOtherTransfers`. */
  readonly otherTransfers: readonly OtherTransfer[];
  /** A payment contract, of this deployment or of another, took a payment in it. */
  readonly paysOrder: boolean;
  /**
   * The id that the payer named (`transferReference`); null without one, or where another account may have added it.
   */
  readonly reference: string | null;
}

/** A successful transaction, and the account that may have got coins by it. */
export interface MinedCoins extends Pick<WantedTransfers, 'txHash' | 'receiver'> {
  readonly block: MinedTransfers['block'];
}

/**
 * The transfers of more than nothing in these transactions; undefined while one of them lacks the chain's
 * confirmations.
 */
export function finalTransfers(
  { confirmations }: Pick<Chain, 'confirmations'>,
  reads: readonly TransferRead[],
): ReceivedTransfer[] | undefined {
  const transfers: ReceivedTransfer[] = [];
  for (const read of reads) {
    if (read.kind !== 'mined' || read.confirmations < confirmations) return undefined;
    transfers.push(...read.transfers.filter(({ amountAtomic }) => amountAtomic > 0n));
  }
  return transfers;
}
