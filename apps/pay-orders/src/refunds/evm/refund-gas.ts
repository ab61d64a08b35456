// The costs of forwarding a refund. Pure.
import type { RelayFees } from '@tollbridge/evm';

export interface ForwardCosts {
  gasLimit: bigint;
  fees: RelayFees;
  /** The lowest fee per gas that is mined at present. */
  leastPerGas: bigint;
  /** The wei that a rollup charges for data in addition to the gas. */
  dataFee: bigint;
}

/**
 * The amount to forward of received coins, after their own gas costs.
 * @returns undefined when nothing would remain
 */
export function coinsToForward(
  arrivedAtomic: bigint,
  { gasLimit, fees, dataFee }: ForwardCosts,
): bigint | undefined {
  const sent = arrivedAtomic - gasLimit * fees.maxFeePerGas - dataFee;
  return sent > 0n ? sent : undefined;
}

/** The fees that the coins of an address can pay, or the missing coins. */
export function offerWithin(
  coins: bigint,
  { gasLimit, fees, leastPerGas, dataFee }: ForwardCosts,
): { fees: RelayFees } | { lacking: bigint } {
  const wanted = gasLimit * fees.maxFeePerGas + dataFee;
  if (coins >= wanted) return { fees };
  const affordable = coins > dataFee ? (coins - dataFee) / gasLimit : 0n;
  if (affordable < leastPerGas) return { lacking: wanted - coins };
  const { maxPriorityFeePerGas: tip } = fees;
  return { fees: { maxFeePerGas: affordable, maxPriorityFeePerGas: tip < affordable ? tip : affordable } };
}
