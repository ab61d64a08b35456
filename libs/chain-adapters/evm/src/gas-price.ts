import { findChain } from '@tollbridge/chains';
import { RpcError } from './rpc-error';
import type { EvmRpc } from './rpc-pool';

/** Current prices in wei per gas. */
export interface GasPrice {
  /** The burnt base fee. Null on a chain without EIP-1559, where `tipPerGas` is the whole price. */
  baseFeePerGas: bigint | null;
  tipPerGas: bigint;
}

/** The price of gas, and the maximum gas of a transaction. */
export interface GasTerms extends GasPrice {
  /** The gas limit of a block, or the chain's lower limit for a single transaction. */
  maxGasUnits: bigint;
}

// No transaction may have a higher gas limit, whatever the limit of a block is (EIP-7825).
const transactionGasCap = 2n ** 24n;

// A higher suggestion is capped, because the user would pay it.
const maxTipShareOfBase = 4n;
const leastPlausibleTip = 50_000_000_000n;

/** @throws RpcError when the chain does not answer */
export async function readGasPrice(rpc: EvmRpc): Promise<GasTerms> {
  const block = (await rpc.call('eth_getBlockByNumber', ['latest', false])) as {
    baseFeePerGas?: unknown;
    gasLimit?: unknown;
  } | null;
  if (!block) throw unreadable('the newest block is missing');
  const blockUnits = quantity(block.gasLimit);
  const hasCap = findChain(`eip155:${rpc.chainId}`)?.capsTransactionGas === true;
  const isCapped = hasCap && blockUnits > transactionGasCap;
  const maxGasUnits = isCapped ? transactionGasCap : blockUnits;
  const base = block.baseFeePerGas === undefined ? null : quantity(block.baseFeePerGas);
  if (base === null)
    return { baseFeePerGas: null, tipPerGas: quantity(await rpc.call('eth_gasPrice')), maxGasUnits };
  const asked = quantity(await rpc.call('eth_maxPriorityFeePerGas'));
  const most = base * maxTipShareOfBase > leastPlausibleTip ? base * maxTipShareOfBase : leastPlausibleTip;
  return { baseFeePerGas: base, tipPerGas: asked < most ? asked : most, maxGasUnits };
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,32}$/.test(value))
    throw unreadable('a gas price or limit is not a number');
  return BigInt(value);
}

const unreadable = (text: string): RpcError =>
  new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text });
