// What it costs to forward a refund, and who pays for it. Pure.
import type { RelayFees } from '@tollbridge/evm';

export interface ForwardCosts {
  gasLimit: bigint;
  fees: RelayFees;
  /** The least per gas with which the transaction is mined at present. */
  leastPerGas: bigint;
  /** Wei that a rollup takes for its data beside the gas. */
  dataFee: bigint;
}

/**
 * Coins pay for their own gas: what is left is sent.
 * @returns undefined when it would be nothing
 */
export function coinsToForward(
  arrivedAtomic: bigint,
  { gasLimit, fees, dataFee }: ForwardCosts,
): bigint | undefined {
  const sent = arrivedAtomic - gasLimit * fees.maxFeePerGas - dataFee;
  return sent > 0n ? sent : undefined;
}

/** What an address that holds tokens can offer for gas with its coins, or the coins that it lacks. */
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
