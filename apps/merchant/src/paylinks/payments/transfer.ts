import type { MinedTransfers } from '@tollbridge/chain-port';
import { formatUnits } from '@tollbridge/money';
import { leastAmount, leastTransfer, type PayLink } from '../paylink';

/** A transfer to the receiver of a link. */
export interface Transfer {
  /** The log's index in the block, or `ownValue` for the value of the transaction itself. */
  logIndex: number;
  amount: bigint;
  /** The payer; null for a payment that no node has verified. */
  payer: string | null;
}

export interface NoTransfer {
  wrong: string;
  /** Set when the receiver got nothing that the link asks for, but may have got something else. */
  isElsewhere?: true;
}

export const paysAnOrder = 'The transaction pays an order; nothing is paid twice by one transfer.';

type Terms = Pick<
  PayLink,
  | 'amount'
  | 'minAmount'
  | 'conversion'
  | 'token'
  | 'tokenAddress'
  | 'decimals'
  | 'receiveAddress'
  | 'createdAtMs'
>;

/** The transfers of a transaction that pay the link or a part of it, or the reason that none does. */
export function transfersTo(
  link: Terms,
  mined: MinedTransfers,
  blockTimeMs: number,
): Transfer[] | NoTransfer {
  if (!mined.isSuccessful) return { wrong: 'The transaction was reverted: nothing was paid.' };
  if (mined.paysOrder) return { wrong: paysAnOrder };
  // Skips transfers of zero, which anyone can make in the name of any sender, and transfers from the receiver to
  // itself.
  const found = mined.transfers.flatMap(({ logIndex, from, amountAtomic: amount }) =>
    amount === 0n || from === link.receiveAddress ? [] : [{ logIndex, amount, payer: from }],
  );
  if (found.length === 0) return { wrong: paysNothing(link, mined), isElsewhere: true };
  if (isOlderThan(link, mined, blockTimeMs)) return { wrong: 'The transaction is older than the PayLink.' };
  const enough = found.filter(({ amount }) => amount >= leastTransfer(link));
  return enough.length > 0 ? enough : found.sort((a, b) => (a.amount < b.amount ? 1 : -1));
}

/**
 * Whether a block is older than the link. A block's timestamp is its start, and it includes transactions until the next
 * block.
 */
export const isOlderThan = (
  { createdAtMs }: Pick<Terms, 'createdAtMs'>,
  { block }: MinedTransfers,
  blockTimeMs: number,
): boolean => block.timeMs + blockTimeMs + 999 < createdAtMs;

function paysNothing({ token, tokenAddress }: Terms, { transfers }: MinedTransfers): string {
  return tokenAddress === null && transfers.length === 0
    ? `The transaction does not send ${token} to the receiver by itself; what a contract sends cannot be verified, so pay from a wallet.`
    : 'The transaction pays nothing to the receiver.';
}

/**
 * The reason that a partial payment does not count yet, and how to complete it.
 * @param before the sum of the payer's earlier partial payments
 */
export function tooLittle(link: Terms, paid: bigint, before: bigint): string {
  const shown = (amount: bigint): string => `${formatUnits(amount, link.decimals)} ${link.token}`;
  if (link.conversion !== null)
    return `The transaction pays ${shown(paid)}; a PayLink with a price is paid by its checkout, which fixes the amount. The merchant was notified.`;
  const least = leastAmount(link);
  const together = before === 0n ? '' : `, ${shown(paid + before)} with the earlier parts`;
  return `The transaction pays ${shown(paid)}${together}; the PayLink asks for ${shown(least)}. Pay the other ${shown(least - paid - before)} from the same address and submit that transaction too.`;
}
