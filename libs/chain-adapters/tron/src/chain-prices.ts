import { UnreadableReply, readFields, readList } from '@tollbridge/http';

/** Prices of resources, in sun. */
export interface ChainPrices {
  energyAtomic: bigint;
  /** Price per byte of a transaction. */
  byteAtomic: bigint;
  /** The highest fee limit of a transaction. */
  maxFeeLimitAtomic: bigint;
}

/** Parses the answer of `wallet/getchainparameters`. @throws UnreadableReply */
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

// The highest factor until now was 34,000. This bound prevents a node from causing an absurd fee limit for a payer.
const maxEnergyFactor = 100_000;

/**
 * Parses the energy factor from the answer of `wallet/getcontractinfo`. Calls of a busy contract cost this much more
 * energy, in ten-thousandths; 0 means no extra cost.
 * @throws UnreadableReply
 */
export function readEnergyFactor(reply: unknown): bigint {
  const state = readFields(readFields(reply, 'reply')['contract_state'] ?? {}, 'contract_state');
  const factor = state['energy_factor'] ?? 0;
  if (typeof factor !== 'number' || !Number.isSafeInteger(factor) || factor < 0 || factor > maxEnergyFactor)
    throw new UnreadableReply('contract_state.energy_factor is malformed');
  return BigInt(factor);
}
