import { findToken, type EvmChain } from '@tollbridge/chains';
import { type EvmRpc } from '@tollbridge/evm';
import { tokenTransfers } from '../cross-chain/deliveries';
import { getAddress } from 'ethers';
import type { DepositTransfer } from './refund';

/** The transfers to a deposit address; `pending` while a node does not show one of them deep enough. */
export type ReadDeposits = { kind: 'read'; transfers: DepositTransfer[] } | { kind: 'pending' };

export interface DepositPlace {
  chain: EvmChain;
  rpc: EvmRpc;
  token: string;
  depositAddress: string;
}

/**
 * Reads who sent a deposit. Of tokens it is the holder that they moved from, whatever the transaction called; of coins
 * the sender of a plain transfer, since a node shows no other.
 * @throws RpcError when the chain does not answer
 */
export async function readDeposits(place: DepositPlace, txHashes: readonly string[]): Promise<ReadDeposits> {
  const { chain, rpc } = place;
  const hashes = [...new Set(txHashes.map((hash) => hash.toLowerCase()))].filter((hash) =>
    evmHash.test(hash),
  );
  const { head, receipts } = await rpc.headAndReceipts(hashes);
  const transfers: DepositTransfer[] = [];
  for (const [at, txHash] of hashes.entries()) {
    const receipt = receipts[at];
    if (!receipt || head.height - receipt.height + 1 < chain.confirmations) return { kind: 'pending' };
    if (!receipt.succeeded) continue;
    const contract = findToken(chain, place.token)?.address;
    transfers.push(
      ...(contract
        ? tokenTransfers(receipt.logs, contract, place.depositAddress, txHash)
        : await coinTransfer(rpc, txHash, place.depositAddress)),
    );
  }
  return { kind: 'read', transfers };
}

const evmHash = /^0x[0-9a-f]{64}$/;

async function coinTransfer(rpc: EvmRpc, txHash: string, depositAddress: string): Promise<DepositTransfer[]> {
  const transaction = await rpc.transaction(txHash);
  if (!transaction?.to || getAddress(transaction.to) !== getAddress(depositAddress)) return [];
  if (transaction.valueAtomic === 0n) return [];
  return [{ from: getAddress(transaction.from), amountAtomic: transaction.valueAtomic }];
}
