import { countParam, type Config, type RpcParams } from './rpc-params';
import type { Commitment, SolanaChain } from './solana-chain';
import { rpcCodes, SolanaRejection } from './solana-rejection';

export type RpcMethods = Readonly<Record<string, (params: RpcParams) => Promise<unknown>>>;

export const apiVersion = '3.0.6';

/** Returns the slot of a node's reply. @throws SolanaRejection for a slot that the node has not reached */
export async function readContext(
  chain: SolanaChain,
  commitment: Commitment,
  { minContextSlot }: Config,
): Promise<number> {
  const slot = await chain.slot(commitment);
  if (minContextSlot !== undefined && minContextSlot !== null && countParam(minContextSlot) > slot)
    throw new SolanaRejection(
      rpcCodes.minContextSlotNotReached,
      'Minimum context slot has not been reached',
      { contextSlot: slot },
    );
  return slot;
}

export const withContext = (slot: number, value: unknown): object => ({
  context: { apiVersion, slot },
  value,
});
