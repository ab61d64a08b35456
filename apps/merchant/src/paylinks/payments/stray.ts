import type { MinedTransfers } from '@tollbridge/chain-port';
import { findChain, findTokenAt, type Chain } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import type { NewException } from '../../exceptions/record-exception';
import type { PayLink } from '../paylink';
import { isOlderThan } from './transfer';

/** A transfer to the receiver of a PayLink that cannot pay it, because it is in another token or on another network. */
export interface Stray extends Pick<
  NewException,
  'kind' | 'chain' | 'token' | 'amount' | 'payer' | 'reason'
> {
  logIndex: number;
}

// Names of unknown tokens may have thousands of characters.
const maxTokenLength = 128;

/**
 * The stray transfers of a transaction.
 * @param chain the chain of the transaction, with the tokens of this deployment
 */
export function straysIn(link: PayLink, mined: MinedTransfers, chain: Chain, blockTimeMs: number): Stray[] {
  if (!mined.isSuccessful || mined.paysOrder || isOlderThan(link, mined, blockTimeMs)) return [];
  const isHome = chain.id === link.chain;
  const coins = isHome ? [] : mined.transfers.map((it) => ({ ...it, tokenAddress: null }));
  const asked = `${link.token} on ${findChain(link.chain)!.name}`;
  return [...coins, ...mined.otherTransfers].flatMap((transfer): Stray[] => {
    const { tokenAddress, amountAtomic: amount, from: payer, logIndex } = transfer;
    const known = findTokenAt(chain, tokenAddress);
    const token = known?.symbol ?? tokenAddress!;
    if (amount <= 0n || payer === link.receiveAddress || token.length > maxTokenLength) return [];
    const shown = known ? `${formatUnits(amount, known.decimals)} ${token}` : `${amount} units of ${token}`;
    const reason = `The transaction pays ${shown} on ${chain.name}; the PayLink asks for ${asked}. The merchant was notified.`;
    const kind = isHome ? 'other_token' : 'other_network';
    return [{ kind, chain: chain.id, token, amount, payer, logIndex, reason }];
  });
}

/** The same for all reports of a transfer, so that a wallet has only one exception for it. */
export const strayReference = (chain: string, txHash: string, logIndex: number): string =>
  `transfer:${chain}:${txHash}:${logIndex}`;
