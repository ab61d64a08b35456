import type { MinedTransfers } from '@tollbridge/chain-port';
import { formatUnits } from '@tollbridge/money';
import { leastAmount, type PayLink } from './paylink';

/** A transfer of a transaction to the receiver of a link. */
export interface Transfer {
  /** Its index in the block; `ownValue` for the value of the transaction itself. */
  logIndex: number;
  amount: bigint;
  /** Null for payments that no node has verified. */
  payer: string | null;
}

export const paysAnOrder = 'The transaction pays an order; nothing is paid twice by one transfer.';

type Terms = Pick<
  PayLink,
  'amount' | 'minAmount' | 'token' | 'tokenAddress' | 'decimals' | 'receiveAddress' | 'createdAtMs'
>;

/** The transfers of a transaction that pay the link, or why none does. */
export function transfersTo(
  link: Terms,
  mined: MinedTransfers,
  blockTimeMs: number,
): Transfer[] | { wrong: string } {
  if (!mined.isSuccessful) return { wrong: 'The transaction was reverted: nothing was paid.' };
  if (mined.paysOrder) return { wrong: paysAnOrder };
  // Not a transfer of nothing, which anyone can make in any name, nor one from the receiver to itself.
  const found = mined.transfers.flatMap(({ logIndex, from, amountAtomic: amount }) =>
    amount === 0n || from === link.receiveAddress ? [] : [{ logIndex, amount, payer: from }],
  );
  if (found.length === 0) return { wrong: paysNothing(link, mined) };
  const enough = found.filter(({ amount }) => amount >= leastAmount(link));
  if (enough.length === 0) return { wrong: tooLittle(link, found) };
  // A block's timestamp is when it was begun; it includes transactions until the next block.
  const isOlder = mined.block.timeMs + blockTimeMs + 999 < link.createdAtMs;
  return isOlder ? { wrong: 'The transaction is older than the PayLink.' } : enough;
}

function paysNothing({ token, tokenAddress }: Terms, { transfers, hasOtherTokens }: MinedTransfers): string {
  if (tokenAddress === null && transfers.length === 0)
    return `The transaction does not send ${token} to the receiver by itself; what a contract sends cannot be verified, so pay from a wallet.`;
  return tokenAddress !== null && hasOtherTokens
    ? `The transaction pays the receiver in another token than ${token}.`
    : 'The transaction pays nothing to the receiver.';
}

function tooLittle(link: Terms, found: Transfer[]): string {
  const shown = (amount: bigint): string => `${formatUnits(amount, link.decimals)} ${link.token}`;
  const most = found.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
  return `The transaction pays ${shown(most)}; the PayLink asks for ${shown(leastAmount(link))}.`;
}
