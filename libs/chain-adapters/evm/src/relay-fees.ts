// Calculates and limits gas fees of transactions that the operator pays for. Pure functions.
import { ceilDiv } from '@tollbridge/money';
import type { GasPrice } from './gas-price';

/** Wei per gas. */
export interface RelayFees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

export interface FeeBounds {
  /** Maximum price per gas, whatever the value of the transaction is. */
  maxWeiPerGas: bigint;
  /** The transaction's value to the operator in wei; undefined if no price is known. */
  worthWei: bigint | undefined;
  gasUnits: bigint;
  /** The priority fee for the block producer. If undefined, the node's suggestion is used. */
  tipPerGas: bigint | undefined;
}

// A fifth of the fee is reserved for costs besides the gas price: data fees of rollups, and reverted transactions.
const [shareOfFee, ofFee] = [4n, 5n];
// The base fee can double in six full blocks. The unused part is not charged.
const baseFeeRoom = 2n;
// Nodes accept a replacement with fees that are a tenth higher, but some require an eighth.
const [raise, ofRaise] = [9n, 8n];

/** Returns the maximum price per gas without a loss. */
export function affordablePerGas({ maxWeiPerGas, worthWei, gasUnits }: Omit<FeeBounds, 'tipPerGas'>): bigint {
  if (worthWei === undefined) return maxWeiPerGas;
  const covered = (worthWei * shareOfFee) / ofFee / gasUnits;
  return covered < maxWeiPerGas ? covered : maxWeiPerGas;
}

/** Returns the current fees; undefined while the chain requires more than the fee covers. */
export function feesFor(price: GasPrice, bounds: FeeBounds): RelayFees | undefined {
  const most = affordablePerGas(bounds);
  const base = price.baseFeePerGas ?? 0n;
  const tip = bounds.tipPerGas ?? price.tipPerGas;
  if (base + tip > most) return undefined;
  const wanted = base * baseFeeRoom + tip;
  return { maxFeePerGas: wanted < most ? wanted : most, maxPriorityFeePerGas: tip };
}

/** Returns raised fees for a replacement; undefined if the fee does not cover what the nodes require. */
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
