import type { Amount } from '../holding';
import { atomicDifference, atomicNumber, recordField, requireSame } from '../wire-fields';

// https://github.com/Blockstream/esplora/blob/master/API.md#get-addressaddress

/**
 * Confirmed and waiting transactions together, as wallets show it: what is being spent is gone at once, and its change
 * counts. The sums are over all outputs ever and may exceed 2^53 for an exchange's address.
 */
export function readAddress(reply: unknown, address: string): Amount {
  const info = recordField(reply, 'address info');
  requireSame(info['address'], address, 'address');
  const chain = sums(info['chain_stats'], 'chain_stats');
  const mempool = sums(info['mempool_stats'], 'mempool_stats');
  const received = chain.funded + mempool.funded;
  return { amountAtomic: atomicDifference(received, chain.spent + mempool.spent, 'spent_txo_sum') };
}

function sums(value: unknown, field: string): { funded: bigint; spent: bigint } {
  const stats = recordField(value, field);
  return {
    funded: atomicNumber(stats['funded_txo_sum'], `${field}.funded_txo_sum`),
    spent: atomicNumber(stats['spent_txo_sum'], `${field}.spent_txo_sum`),
  };
}
