import { findToken } from '@tollbridge/chains';
import { type EvmRpc } from '@tollbridge/evm';
import { dataSlice, getAddress, id as topicOf } from 'ethers';
import type { Deployments } from '../chains/deployments';
import type { Delivery, Transfer } from './deposit';

const transferTopic = topicOf('Transfer(address,address,uint256)');

/** Where and in what the merchant is to be paid. */
export interface Expected {
  settleChain: string;
  settleToken: string;
  merchantAddress: string;
}

/** Reads on the settle chain what the transactions that a provider tells of really pay the merchant. */
export class Deliveries {
  constructor(
    private readonly deployments: Deployments,
    private readonly rpcOf: (chainId: string) => EvmRpc | undefined,
  ) {}

  async read(expected: Expected, txHashes: readonly string[]): Promise<Delivery> {
    const chain = this.deployments.find(expected.settleChain);
    const rpc = chain && this.rpcOf(chain.id);
    if (!chain || !rpc) return { kind: 'unread' };
    if (txHashes.length === 0) return { kind: 'pending' };
    const token = findToken(chain, expected.settleToken);
    const head = await rpc.head();
    const transfers: Transfer[] = [];
    for (const txHash of new Set(txHashes.map((hash) => hash.toLowerCase()))) {
      const receipt = await rpc.receipt(txHash);
      // Not mined here yet, or dropped by a reorganisation: it is asked for again.
      if (!receipt || head.height - receipt.height + 1 < chain.confirmations) return { kind: 'pending' };
      if (!receipt.succeeded) continue;
      const contract = token?.address;
      if (contract)
        transfers.push(...tokenTransfers(receipt.logs, contract, expected.merchantAddress, txHash));
      else transfers.push(...(await coinTransfers(rpc, txHash, expected.merchantAddress)));
    }
    return { kind: 'read', transfers };
  }
}

type Log = { address: string; topics: readonly string[]; data: string; logIndex: number };

/** The transfers of a token to one receiver among the logs of a transaction. */
export function tokenTransfers(
  logs: readonly Log[],
  contract: string,
  receiver: string,
  txHash: string,
): (Transfer & { from: string })[] {
  return logs.flatMap(({ address, topics, data, logIndex }) => {
    const [topic, from, to] = topics;
    if (
      getAddress(address) !== contract ||
      topic !== transferTopic ||
      topics.length !== 3 ||
      data.length !== 66
    )
      return [];
    return getAddress(dataSlice(to!, 12)) === getAddress(receiver)
      ? [{ txHash, logIndex, amountAtomic: BigInt(data), from: getAddress(dataSlice(from!, 12)) }]
      : [];
  });
}

/** Only a plain transfer shows in the transaction itself what somebody received. */
async function coinTransfers(rpc: EvmRpc, txHash: string, merchant: string): Promise<Transfer[]> {
  const transaction = await rpc.transaction(txHash);
  if (!transaction?.to || getAddress(transaction.to) !== merchant || transaction.valueAtomic === 0n)
    return [];
  return [{ txHash, logIndex: -1, amountAtomic: transaction.valueAtomic }];
}
