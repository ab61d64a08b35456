import { decodeRawData, tronTxId, type TronRawData } from '@tollbridge/onchain/tron';
import { getBytes, hexlify, toUtf8Bytes, toUtf8String } from 'ethers';
import type { AnvilNode, EvmBlock, EvmLog, EvmReceipt } from './anvil-node';
import type { ContractResult } from './tvm';

// Records are transactions of the EVM node between these accounts, so the node's saved state is the only store.
const recorder = '0x0000000000000000000000000000007265636f72';
const records = '0x0000000000000000000000000000007265636f73';

/** What is stored of a transaction; amounts are decimal texts of sun. */
export interface TransactionRecord {
  /** Hex without `0x`. */
  rawData: string;
  signature: string;
  /** The hash of the execution on the EVM node; null where nothing was executed. */
  execution: string | null;
  result: ContractResult;
  returned: string;
  energy: string;
  penalty: string;
  energyFee: string;
  netUsage: string;
  netFee: string;
  /** For the activation of the receiver's account. */
  accountFee: string;
  contract: string | null;
  /** The ABI that came with a deployment. */
  abi: unknown;
}

export interface TronTransaction extends Omit<TransactionRecord, 'execution'> {
  id: string;
  raw: TronRawData;
  height: number;
  blockHash: string;
  logs: EvmLog[];
}

/** The transactions of a chain, in memory and on the chain. */
export class Transactions {
  private readonly byId = new Map<string, TronTransaction>();
  private readonly byBlock = new Map<string, TronTransaction[]>();
  /** The newest block that was read. */
  private known = { height: -1, hash: '' };
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly node: AnvilNode) {}

  /** Sends a record into the pool; it counts when its block is mined. */
  async record(record: TransactionRecord): Promise<void> {
    await this.node.call('anvil_impersonateAccount', recorder);
    const data = hexlify(toUtf8Bytes(JSON.stringify(record)));
    const gas = `0x${(29_000_000).toString(16)}`;
    await this.node.call('eth_sendTransaction', { from: recorder, to: records, data, gas, gasPrice: '0x0' });
  }

  /** Undefined for a transaction that no block of the chain has. */
  async find(id: string): Promise<TronTransaction | undefined> {
    await this.readNewBlocks();
    return this.byId.get(id);
  }

  async ofBlock(block: EvmBlock): Promise<readonly TronTransaction[]> {
    await this.readNewBlocks();
    return this.byBlock.get(block.hash) ?? [];
  }

  /** The deployment of a contract (base58), if a transaction of this chain deployed it. */
  async deploymentOf(contract: string): Promise<TronTransaction | undefined> {
    await this.readNewBlocks();
    return this.all().find(
      (it) => it.contract === contract && it.raw.contract.type === 'CreateSmartContract',
    );
  }

  /** All of an account (base58), oldest first. */
  async ofOwner(owner: string): Promise<TronTransaction[]> {
    await this.readNewBlocks();
    return this.all().filter(({ raw }) => raw.contract.owner === owner);
  }

  private all(): TronTransaction[] {
    return [...this.byId.values()];
  }

  private readNewBlocks(): Promise<void> {
    this.reading = this.reading.catch(() => undefined).then(() => this.read());
    return this.reading;
  }

  private async read(): Promise<void> {
    await this.forgetRevertedBlocks();
    const head = await this.node.height();
    for (let height = this.known.height + 1; height <= head; height++) {
      const block = await this.node.block(height, true);
      if (!block) return;
      await this.readBlock(block);
      this.known = { height, hash: block.hash };
    }
  }

  /** A test may revert the node to an older state. */
  private async forgetRevertedBlocks(): Promise<void> {
    const { height, hash } = this.known;
    if (height < 0 || (await this.node.block(height))?.hash === hash) return;
    this.byId.clear();
    this.byBlock.clear();
    this.known = { height: -1, hash: '' };
  }

  private async readBlock(block: EvmBlock): Promise<void> {
    const found: TronTransaction[] = [];
    for (const transaction of block.transactions) {
      if (typeof transaction === 'string' || transaction.to !== records) continue;
      const record = JSON.parse(toUtf8String(transaction.input)) as TransactionRecord;
      found.push(await this.toTransaction(record, block));
    }
    for (const it of found) this.byId.set(it.id, it);
    this.byBlock.set(block.hash, found);
  }

  private async toTransaction(record: TransactionRecord, block: EvmBlock): Promise<TronTransaction> {
    const { execution, ...rest } = record;
    const bytes = getBytes(`0x${record.rawData}`);
    const receipt =
      execution === null ? null : await this.node.call<EvmReceipt>('eth_getTransactionReceipt', execution);
    return {
      ...rest,
      id: tronTxId(bytes),
      raw: decodeRawData(bytes),
      height: Number(block.number),
      blockHash: block.hash,
      logs: receipt?.logs ?? [],
    };
  }
}
