// Gas fees of transactions that the operator pays, and their limits. Pure functions.
import { ceilDiv } from '@tollbridge/money';
import type { GasPrice } from './gas-price';

/** Wei per gas. */
export interface RelayFees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

export interface FeeBounds {
  /** The most that may be offered per gas, whatever the transaction is worth. */
  maxWeiPerGas: bigint;
  /** Wei that the transaction is worth to the operator; undefined where no price is known. */
  worthWei: bigint | undefined;
  gasUnits: bigint;
  /** The priority fee of the block producer; undefined uses the suggestion of the node. */
  tipPerGas: bigint | undefined;
}

// A fifth of the fee covers costs outside of the gas price: data fees of rollups, and transactions that revert.
const [shareOfFee, ofFee] = [4n, 5n];
// The base fee can double in six full blocks; what is not needed is not paid.
const baseFeeRoom = 2n;
// Nodes take a replacement for a tenth more; some want an eighth.
const [raise, ofRaise] = [9n, 8n];

/** The most that may be offered per gas without a loss. */
export function affordablePerGas({ maxWeiPerGas, worthWei, gasUnits }: Omit<FeeBounds, 'tipPerGas'>): bigint {
  if (worthWei === undefined) return maxWeiPerGas;
  const covered = (worthWei * shareOfFee) / ofFee / gasUnits;
  return covered < maxWeiPerGas ? covered : maxWeiPerGas;
}

/** The current fees; undefined while the chain requires more than the fee covers. */
export function feesFor(price: GasPrice, bounds: FeeBounds): RelayFees | undefined {
  const most = affordablePerGas(bounds);
  const base = price.baseFeePerGas ?? 0n;
  const tip = bounds.tipPerGas ?? price.tipPerGas;
  if (base + tip > most) return undefined;
  const wanted = base * baseFeeRoom + tip;
  return { maxFeePerGas: wanted < most ? wanted : most, maxPriorityFeePerGas: tip };
}

/** Raised fees for a replacement; undefined when the fee does not cover what the nodes require for it. */
export function raisedFees(last: RelayFees, price: GasPrice, bounds: FeeBounds): RelayFees | undefined {
  const wanted = feesFor(price, bounds);
  if (!wanted) return undefined;
  const least = {
    maxFeePerGas: ceilDiv(last.maxFeePerGas * raise, ofRaise),
    maxPriorityFeePerGas: ceilDiv(last.maxPriorityFeePerGas * raise, ofRaise),
  };
  const raised = {
    maxFeePerGas: larger(wanted.maxFeePerGas, least.maxFeePerGas),
    maxPriorityFeePerGas: larger(wanted.maxPriorityFeePerGas, least.maxPriorityFeePerGas),
  };
  const most = affordablePerGas(bounds);
  const isPossible = raised.maxFeePerGas <= most && raised.maxPriorityFeePerGas <= raised.maxFeePerGas;
  return isPossible ? raised : undefined;
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
