import type { Chain, Token } from '@tollbridge/chains';
import { createHash } from 'node:crypto';
import type { BlockRef } from './chain-events';

/** A transaction, and the transfers to read in it: transfers of one token to one receiver. */
export interface WantedTransfers {
  /** Canonical (`canonicalTxHash`), and valid for the chain (`isTxHash`). */
  readonly txHash: string;
  readonly token: Pick<Token, 'address'>;
  readonly receiver: string;
  /** The block that contained the transaction at the previous read. Null for the first read. */
  readonly seenIn: Pick<BlockRef, 'height' | 'hash'> | null;
}

/** Amounts may be 0, because anyone can make a token record a transfer of zero under any name. */
export interface ReceivedTransfer {
  readonly txHash: string;
  /** Unique in its transaction across all receivers and tokens. `ownValue` for the value of the transaction itself. */
  readonly logIndex: number;
  readonly from: string;
  readonly amountAtomic: bigint;
}

/** A transfer of another token than the wanted one. It is never zero, and never from the receiver itself. */
export interface OtherTransfer extends ReceivedTransfer {
  /** Null for the coin. */
  readonly tokenAddress: string | null;
}

/** Maximum number of other transfers of one transaction, because anyone can create tokens. */
export const maxOtherTransfers = 8;

/** The log index of a transaction's own value, which has no log. */
export const ownValue = -1;

/**
 * Returns the log index on chains that report an account's gain in a transaction instead of single transfers. One
 * transaction may pay several receivers, each in several tokens. An attacker can create two accounts with equal
 * indexes, but then only one of the transfers counts.
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
  /** The node contradicts itself, or lacks the block that contained the transaction. The state is unknown. */
  | { readonly kind: 'unavailable' }
  /** No block contains the transaction. `chainTimeMs` is the time of the newest block. */
  | { readonly kind: 'unmined'; readonly chainTimeMs: number }
  | MinedTransfers;

export interface MinedTransfers {
  readonly kind: 'mined';
  readonly block: Pick<BlockRef, 'height' | 'hash' | 'timeMs'>;
  /** Number of blocks, including the transaction's own block. */
  readonly confirmations: number;
  /** A failed transaction transfers nothing. */
  readonly isSuccessful: boolean;
  /**
   * Transfers of the wanted token to the wanted receiver. Coins that a contract sends may be missing: see
   * `receivedCoins`.
   */
  readonly transfers: readonly ReceivedTransfer[];
  /** Transfers of other tokens to the wanted receiver, as far as a node reports them. At most `maxOtherTransfers`. */
  readonly otherTransfers: readonly OtherTransfer[];
  /** True if the transaction pays a payment contract of this or another deployment. */
  readonly paysOrder: boolean;
  /**
   * The id in the payer's reference (`transferReference`). Null without a reference, or if another account may have
   * added it.
   */
  readonly reference: string | null;
}

/** A successful transaction, and the account that may have received coins from it. */
export interface MinedCoins extends Pick<WantedTransfers, 'txHash' | 'receiver'> {
  readonly block: MinedTransfers['block'];
}

/**
 * Returns the transfers above zero in these transactions. Returns undefined while one transaction lacks the chain's
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
