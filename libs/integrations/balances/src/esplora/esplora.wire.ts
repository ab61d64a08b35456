import { readAmountNumber, readFields } from '@tollbridge/http';
import type { Amount } from '../holding';
import { atomicDifference, requireSame } from '../wire-fields';

// https://github.com/Blockstream/esplora/blob/master/API.md#get-addressaddress

/**
 * Adds up confirmed and pending transactions, like wallets do. A pending spend is subtracted immediately, and its
 * change is added. The sums cover all outputs ever, so they may exceed 2^53 for an exchange's address.
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
