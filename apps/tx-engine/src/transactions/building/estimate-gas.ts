import { revertReason, RpcError, type Call, type EvmRpc } from '@tollbridge/evm';
import { unreadable } from '../../chains/chain-failure';

export type GasOrReason = { units: bigint } | { reason: string };

/** Estimates one call on nodes without simulation; returns the revert reason if it reverts. */
export async function estimateGas(rpc: EvmRpc, from: string, call: Call): Promise<GasOrReason> {
  const { to, data, valueAtomic } = call;
  try {
    const gas = await rpc.call('eth_estimateGas', [
      { from, to, data, value: `0x${valueAtomic.toString(16)}` },
    ]);
    if (typeof gas !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(gas))
      throw unreadable('the gas estimate is not a hex quantity');
    return { units: BigInt(gas) };
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== 'rejected') throw error;
    return { reason: revertReason(typeof error.data === 'string' ? error.data : '0x') };
  }
}
