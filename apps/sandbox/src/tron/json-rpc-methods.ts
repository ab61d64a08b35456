import type { EvmBlock, EvmLog } from './anvil-node';
import { blockId, parentId } from './blocks';
import { evmAddress } from './evm-address';
import type { TronTransaction } from './transactions';
import type { TronChain } from './tron-chain';

/** The last four bytes of the id of the main network's genesis block. */
export const chainIdHex = '0x2b6653dc';

// The default limit of java-tron's configuration.
const maxBlockRange = 5_000;
const hashForm = /^0x[0-9a-f]{64}$/i;

/** A request that the node rejects, with a JSON-RPC error code. */
export class JsonRpcRejection extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

type Params = readonly unknown[];
type Result = unknown;

/**
 * Read methods of a full node's JSON-RPC (`/jsonrpc`): heights and amounts in hex, addresses of 20 bytes, `0x` hashes.
 */
export class JsonRpcMethods {
  private readonly methods: Readonly<Record<string, (params: Params) => Promise<Result>>>;

  constructor(private readonly chain: TronChain) {
    this.methods = {
      eth_chainId: async () => chainIdHex,
      eth_blockNumber: async () => (await chain.head()).number,
      eth_getBlockByNumber: ([height]) => this.block(height),
      eth_getLogs: ([filter]) => this.logs(filter as Filter),
      eth_getTransactionReceipt: ([hash]) => this.receipt(hash),
      eth_gasPrice: async () => hex(chain.network.energyPrice),
      eth_getBalance: async ([account]) => hex(await chain.node.balance(String(account))),
      eth_call: ([call]) => this.callContract(call as object),
    };
  }

  /** @throws JsonRpcRejection */
  call(method: unknown, params: Params): Promise<Result> {
    const name = String(method);
    if (!Object.hasOwn(this.methods, name)) throw new JsonRpcRejection(-32601, 'method not found');
    return this.methods[name]!(params);
  }

  private async block(height: unknown): Promise<Result> {
    const block = await this.chain.node.block(height === 'latest' ? 'latest' : heightOf(height));
    if (!block) return null;
    const isEmpty = block.transactions.length === 0;
    const transactions = isEmpty ? [] : await this.chain.transactions.ofBlock(block);
    return {
      number: block.number,
      hash: `0x${blockId(block)}`,
      parentHash: `0x${parentId(block)}`,
      timestamp: block.timestamp,
      nonce: '0x0000000000000000',
      transactions: transactions.map(({ id }) => `0x${id}`),
    };
  }

  /** Returns logs. Like java-tron, skips blocks that the node does not have yet. */
  private async logs({ address, topics, fromBlock, toBlock }: Filter): Promise<Result> {
    const head = await this.chain.node.height();
    const [from, to] = [heightOf(fromBlock), Math.min(heightOf(toBlock), head)];
    if (to - from > maxBlockRange)
      throw new JsonRpcRejection(-32602, `exceed max block range: ${maxBlockRange}`);
    if (from > to) return [];
    const found = await this.chain.node.logs({ address, topics, fromBlock: hex(from), toBlock: hex(to) });
    const ids = await this.chain.transactions.idsOf(found.map(({ transactionHash }) => transactionHash));
    const blocks = new Map<string, EvmBlock>();
    for (const height of new Set(found.map(({ blockNumber }) => blockNumber)))
      blocks.set(height, (await this.chain.node.block(Number(height)))!);
    return found.flatMap((log) => {
      const id = ids.get(log.transactionHash);
      return id === undefined ? [] : [logJson(log, id, blocks.get(log.blockNumber)!)];
    });
  }

  private async receipt(hash: unknown): Promise<Result> {
    if (typeof hash !== 'string' || !hashForm.test(hash))
      throw new JsonRpcRejection(-32602, 'invalid hash value');
    const transaction = await this.chain.transactions.find(hash.slice(2).toLowerCase());
    const block = transaction && (await this.chain.node.block(transaction.height));
    return block ? receiptJson(transaction, block) : null;
  }

  private async callContract({
    from,
    to,
    data,
  }: {
    from?: unknown;
    to?: unknown;
    data?: unknown;
  }): Promise<Result> {
    if (from === undefined || to === undefined) throw new JsonRpcRejection(-32600, 'invalid json request');
    try {
      return await this.chain.node.call('eth_call', { from, to, data }, 'latest');
    } catch {
      throw new JsonRpcRejection(-32000, 'REVERT opcode executed');
    }
  }
}

interface Filter {
  address?: unknown;
  topics?: unknown;
  fromBlock?: unknown;
  toBlock?: unknown;
}

function heightOf(height: unknown): number {
  if (typeof height !== 'string' || !/^0x[0-9a-f]{1,12}$/i.test(height))
    throw new JsonRpcRejection(-32602, 'invalid block number');
  return Number(height);
}

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

const logJson = ({ address, topics, data, logIndex }: EvmLog, id: string, block: EvmBlock) => ({
  address,
  topics,
  data,
  logIndex,
  blockNumber: block.number,
  blockHash: `0x${blockId(block)}`,
  transactionHash: `0x${id}`,
  transactionIndex: '0x0',
  removed: false,
});

function receiptJson({ id, raw, result, logs, energy }: TronTransaction, block: EvmBlock) {
  const { contract } = raw;
  const to = contract.type === 'TransferContract' ? contract.to : null;
  const called = contract.type === 'TriggerSmartContract' ? contract.contract : to;
  return {
    transactionHash: `0x${id}`,
    transactionIndex: '0x0',
    blockHash: `0x${blockId(block)}`,
    blockNumber: block.number,
    from: evmAddress(contract.owner),
    to: called === null ? null : evmAddress(called),
    gasUsed: hex(BigInt(energy)),
    status: result === 'SUCCESS' ? '0x1' : '0x0',
    logs: logs.map((log) => logJson(log, id, block)),
  };
}
