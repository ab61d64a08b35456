import { UnreadableReply, readFields, readList } from '@tollbridge/http';

/** What resources cost, in sun. */
export interface ChainPrices {
  energyAtomic: bigint;
  /** A byte of a transaction. */
  byteAtomic: bigint;
  /** The highest fee limit of a transaction. */
  maxFeeLimitAtomic: bigint;
}

/** The answer of `wallet/getchainparameters`. @throws UnreadableReply */
export function readChainPrices(reply: unknown): ChainPrices {
  const list = readList(readFields(reply, 'reply')['chainParameter'], 'chainParameter');
  const values = new Map<unknown, unknown>();
  for (const entry of list) {
    const { key, value } = readFields(entry, 'chainParameter[]');
    values.set(key, value);
  }
  const price = (key: string) => {
    const value = values.get(key);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0)
      throw new UnreadableReply(`${key} is malformed`);
    return BigInt(value);
  };
  return {
    energyAtomic: price('getEnergyFee'),
    byteAtomic: price('getTransactionFee'),
    maxFeeLimitAtomic: price('getMaxFeeLimit'),
  };
}

// The highest factor that the network has set so far is 34,000; a node must not make a payer's limit absurd.
const maxEnergyFactor = 100_000;

/**
 * By how much calls of a contract cost more energy because it is busy, in ten-thousandths; 0 for none. From the answer
 * of `wallet/getcontractinfo`.
 * @throws UnreadableReply
 */
export function readEnergyFactor(reply: unknown): bigint {
  const state = readFields(readFields(reply, 'reply')['contract_state'] ?? {}, 'contract_state');
  const factor = state['energy_factor'] ?? 0;
  if (typeof factor !== 'number' || !Number.isSafeInteger(factor) || factor < 0 || factor > maxEnergyFactor)
    throw new UnreadableReply('contract_state.energy_factor is malformed');
  return BigInt(factor);
}
