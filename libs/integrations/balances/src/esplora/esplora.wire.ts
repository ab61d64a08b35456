import { readAmountNumber, readFields } from '@tollbridge/http';
import type { Amount } from '../holding';
import { atomicDifference, requireSame } from '../wire-fields';

// https://github.com/Blockstream/esplora/blob/master/API.md#get-addressaddress

/**
 * Counts confirmed and waiting transactions together, as wallets do: a waiting spend is subtracted immediately, and its
 * change counts. The sums are over all outputs ever and may exceed 2^53 for an exchange's address.
 */
export function readAddress(reply: unknown, address: string): Amount {
  const info = readFields(reply, 'address info');
  requireSame(info['address'], address, 'address');
  const chain = sums(info['chain_stats'], 'chain_stats');
  const mempool = sums(info['mempool_stats'], 'mempool_stats');
  const received = chain.funded + mempool.funded;
  return { amountAtomic: atomicDifference(received, chain.spent + mempool.spent, 'spent_txo_sum') };
}

function sums(value: unknown, field: string): { funded: bigint; spent: bigint } {
  const stats = readFields(value, field);
  return {
    funded: readAmountNumber(stats['funded_txo_sum'], `${field}.funded_txo_sum`),
    spent: readAmountNumber(stats['spent_txo_sum'], `${field}.spent_txo_sum`),
  };
}
