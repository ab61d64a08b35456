import { decodeRawData, tronTxId, type TronRawData } from '@tollbridge/onchain/tron';
import { getBytes, hexlify, toUtf8Bytes, toUtf8String } from 'ethers';
import type { AnvilNode, EvmBlock, EvmLog, EvmReceipt } from './anvil-node';
import { blockTimeMs } from './blocks';
import type { FreeUse, ReadBlock, StoredTransaction, TronRepository } from './tron.repository';
import type { ContractResult } from './tvm';

// A record is a transaction of the EVM node between these accounts. A block contains an execution with its record, or
// neither.
const recorder = '0x0000000000000000000000000000007265636f72';
const records = '0x0000000000000000000000000000007265636f73';
const blocksAtOnce = 200;

/** The record of a transaction. Amounts are decimal text in sun. */
export interface TransactionRecord {
  /** Hex without `0x`. */
  rawData: string;
  signature: string;
  /** The hash of the execution on the EVM node; null without an execution. */
  execution: string | null;
  result: ContractResult;
  returned: string;
  energy: string;
  penalty: string;
  energyFee: string;
  netUsage: string;
  netFee: string;
  /** Fee for the activation of the receiver's account. */
  accountFee: string;
  contract: string | null;
  /** The ABI of a deployment. */
  abi: unknown;
}

/** A transaction in a block, as the database stores it. */
export interface MinedRecord extends TransactionRecord {
  height: number;
  blockHash: string;
  logs: EvmLog[];
}

export interface TronTransaction extends MinedRecord {
  id: string;
  raw: TronRawData;
}

/** The transactions of a chain. They are recorded in the blocks of the EVM node, and indexed in the database. */
export class Transactions {
  /** The newest block that was indexed. */
  private newest: ReadBlock | undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly node: AnvilNode,
    private readonly repository: TronRepository<MinedRecord>,
    /** Called when the node has removed blocks. */
    private readonly onRollback: () => void,
  ) {}

  /** Sends a record to the pool. It counts when its block is mined. */
  async record(record: TransactionRecord): Promise<void> {
    await this.node.call('anvil_impersonateAccount', recorder);
    const data = hexlify(toUtf8Bytes(JSON.stringify(record)));
    const gas = `0x${(29_000_000).toString(16)}`;
    await this.node.call('eth_sendTransaction', { from: recorder, to: records, data, gas, gasPrice: '0x0' });
  }

  /** Returns undefined for a transaction that is in no block of the chain. */
  async find(id: string): Promise<TronTransaction | undefined> {
    await this.readNewBlocks();
    const found = await this.repository.find(id);
    return found && toTransaction(found);
  }

  async ofBlock(block: EvmBlock): Promise<readonly TronTransaction[]> {
    await this.readNewBlocks();
    return (await this.repository.ofBlock(block.hash)).map(toTransaction);
  }

  /** Returns the deployment of a contract (base58), if a transaction of this chain deployed it. */
  async deploymentOf(contract: string): Promise<TronTransaction | undefined> {
    await this.readNewBlocks();
    const found = await this.repository.deploymentOf(contract);
    return found && toTransaction(found);
  }

  /** Returns the ids of transactions by their executions on the EVM node. */
  async idsOf(executions: readonly string[]): Promise<ReadonlyMap<string, string>> {
    await this.readNewBlocks();
    return this.repository.idsOf(executions);
  }

  /** Returns the bytes that an account (base58) has sent without a fee since a time, oldest first. */
  async freeUses(owner: string, sinceMs: number): Promise<FreeUse[]> {
    await this.readNewBlocks();
    return this.repository.freeUses(owner, sinceMs);
  }

  private readNewBlocks(): Promise<void> {
    this.reading = this.reading.catch(() => undefined).then(() => this.read());
    return this.reading;
  }

  private async read(): Promise<void> {
    const head = (await this.node.block('latest'))!;
    if (this.newest?.hash === head.hash) return;
    this.newest = await this.newestOnChain();
    const last = Number(head.number);
    for (let from = (this.newest?.height ?? -1) + 1; from <= last; from += blocksAtOnce)
      if (!(await this.readRange(from, Math.min(last, from + blocksAtOnce - 1)))) return;
  }

  /** Returns the newest indexed block that is still on the chain. A test, or a kill of the node, may remove blocks. */
  private async newestOnChain(): Promise<ReadBlock | undefined> {
    const [newest, ...older] = await this.repository.blocks();
    if (!newest || (await this.isOnChain(newest))) return newest;
    this.onRollback();
    for (const block of older)
      if (await this.isOnChain(block)) {
        await this.repository.forgetAbove(block.height);
        return block;
      }
    await this.repository.forgetAbove(-1);
    return undefined;
  }

  private async isOnChain({ height, hash }: ReadBlock): Promise<boolean> {
    return (await this.node.block(height))?.hash === hash;
  }

  /** Returns false when the node has removed a block during the read. */
  private async readRange(from: number, to: number): Promise<boolean> {
    const blocks: ReadBlock[] = [];
    const found: StoredTransaction<MinedRecord>[] = [];
    for (let height = from; height <= to; height++) {
      const block = await this.node.block(height, true);
      const previous = blocks.at(-1) ?? this.newest;
      if (!block || (previous && block.parentHash !== previous.hash)) return false;
      blocks.push({ height, hash: block.hash });
      found.push(...(await this.transactionsIn(block)));
    }
    await this.repository.append(blocks, found);
    this.newest = blocks.at(-1);
    return true;
  }

  private async transactionsIn(block: EvmBlock): Promise<StoredTransaction<MinedRecord>[]> {
    const found: StoredTransaction<MinedRecord>[] = [];
    for (const transaction of block.transactions) {
      if (typeof transaction === 'string' || transaction.to !== records) continue;
      const record = JSON.parse(toUtf8String(transaction.input)) as TransactionRecord;
      const { execution } = record;
      const receipt =
        execution === null ? null : await this.node.call<EvmReceipt>('eth_getTransactionReceipt', execution);
      found.push(toStored(record, block, receipt?.logs ?? []));
    }
    return found;
  }
}

function toStored(
  record: TransactionRecord,
  block: EvmBlock,
  logs: EvmLog[],
): StoredTransaction<MinedRecord> {
  const height = Number(block.number);
  const { id, raw } = decoded(record);
  const isFree = BigInt(record.netFee) === 0n && BigInt(record.accountFee) === 0n;
  return {
    id,
    height,
    blockHash: block.hash,
    minedAtMs: blockTimeMs(block),
    execution: record.execution,
    owner: raw.contract.owner,
    deployed: raw.contract.type === 'CreateSmartContract' ? record.contract : null,
    freeBytes: isFree ? BigInt(record.netUsage) : 0n,
    body: { ...record, height, blockHash: block.hash, logs },
  };
}

const toTransaction = (body: MinedRecord): TronTransaction => ({ ...body, ...decoded(body) });

function decoded({ rawData }: TransactionRecord): { id: string; raw: TronRawData } {
  const bytes = getBytes(`0x${rawData}`);
  return { id: tronTxId(bytes), raw: decodeRawData(bytes) };
}
