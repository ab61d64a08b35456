import type { MinedTransfers } from '@tollbridge/chain-port';
import { findChain, findTokenAt, type Chain } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import type { NewException } from '../../exceptions/record-exception';
import type { PayLink } from '../paylink';
import { isOlderThan } from './transfer';

/** A transfer to the receiver of a PayLink in another token or on another network. It does not pay the PayLink. */
export interface Stray extends Pick<
  NewException,
  'kind' | 'chain' | 'token' | 'amount' | 'payer' | 'reason'
> {
  logIndex: number;
}

// On Sui, the address of a token is its type, which may have thousands of characters.
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
    const reason = `The transaction pays ${shown} on ${chain.name}; the PayLink asks for ${asked}.`;
    const kind = isHome ? 'other_token' : 'other_network';
    return [{ kind, chain: chain.id, token, amount, payer, logIndex, reason }];
  });
}

/** Equal for every submission of a transfer, so that the merchant gets one exception for the transfer. */
export const strayReference = (chain: string, txHash: string, logIndex: number): string =>
  `transfer:${chain}:${txHash}:${logIndex}`;
