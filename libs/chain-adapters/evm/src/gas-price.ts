import { findChain } from '@tollbridge/chains';
import { RpcError } from './rpc-error';
import type { EvmRpc } from './rpc-pool';

/** Present prices in wei per gas. */
export interface GasPrice {
  /** Burnt; null on a chain from before EIP-1559, where `tipPerGas` is the whole price. */
  baseFeePerGas: bigint | null;
  tipPerGas: bigint;
}

/** The price of gas, and how much of it a transaction may use. */
export interface GasTerms extends GasPrice {
  /** The gas limit of a block, or what the chain allows a single transaction where that is less. */
  maxGasUnits: bigint;
}

// EIP-7825: no transaction may have a higher gas limit, whatever a block takes.
const transactionGasCap = 2n ** 24n;

// A higher suggestion is capped: the user would pay it.
const maxTipShareOfBase = 4n;
const leastPlausibleTip = 50_000_000_000n;

/** @throws RpcError when the chain does not answer. */
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
