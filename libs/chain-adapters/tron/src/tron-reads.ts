import { type BlockRef, type ChainCheck, EvmReads, type JsonRpcClient, readBlock } from '@tollbridge/evm';
import { askNode } from './ask-node';
import { readTronReceipt, type TronReceipt } from './tron-receipt';

type RpcRequest = Parameters<JsonRpcClient['send']>[0][number];

export interface HeadAndReceipts {
  head: BlockRef;
  /** In the order of the ids, with null for each transaction that no block of the node has. */
  receipts: (TronReceipt | null)[];
}

/**
 * Reads blocks and logs of one node, by the JSON-RPC that Tron's nodes share with EVM chains. Hashes begin with `0x`.
 */
export class TronReads extends EvmReads {
  constructor(
    private readonly client: JsonRpcClient,
    private readonly check: ChainCheck,
  ) {
    super();
  }

  get label(): string {
    return this.client.url.label;
  }

  /** Uses one batch, so that all answers are from one view of the chain. @param txIds 64 digits each */
  headAndTronReceipts(txIds: readonly string[]): Promise<HeadAndReceipts> {
    const requests = [
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      ...txIds.map((txId) => ({ method: 'eth_getTransactionReceipt', params: [`0x${txId}`] })),
    ];
    return this.request(requests, ([block, ...receipts]) => ({
      head: readBlock(block),
      receipts: receipts.map((receipt, at) => readTronReceipt(receipt, txIds[at]!)),
    }));
  }

  protected request<T>(requests: readonly RpcRequest[], read: (results: unknown[]) => T): Promise<T> {
    return askNode(this.check, this.label, async () => read(await this.client.send(requests)));
  }
}
