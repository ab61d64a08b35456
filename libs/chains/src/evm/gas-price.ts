import { RpcError } from './rpc-error';
import type { EvmRpc } from './rpc-pool';

/** Wei per gas, as a chain asks it now. */
export interface GasPrice {
  /** Burnt; null on a chain from before EIP-1559, where `tipPerGas` is the whole price. */
  baseFeePerGas: bigint | null;
  tipPerGas: bigint;
}

// A node that asks more is not believed: it would be the user's money.
const maxTipShareOfBase = 4n;
const leastPlausibleTip = 50_000_000_000n;

/** @throws RpcError when the chain does not answer. */
export async function readGasPrice(rpc: EvmRpc): Promise<GasPrice> {
  const block = (await rpc.call('eth_getBlockByNumber', ['latest', false])) as {
    baseFeePerGas?: unknown;
  } | null;
  if (!block) throw unreadable('there is no newest block');
  const base = block.baseFeePerGas === undefined ? null : quantity(block.baseFeePerGas);
  if (base === null) return { baseFeePerGas: null, tipPerGas: quantity(await rpc.call('eth_gasPrice')) };
  const asked = quantity(await rpc.call('eth_maxPriorityFeePerGas'));
  const most = base * maxTipShareOfBase > leastPlausibleTip ? base * maxTipShareOfBase : leastPlausibleTip;
  return { baseFeePerGas: base, tipPerGas: asked < most ? asked : most };
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,32}$/.test(value))
    throw unreadable('a gas price is no quantity');
  return BigInt(value);
}

const unreadable = (text: string): RpcError =>
  new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text });
