import type { Database } from '@tollbridge/database';
import { decodeRawData, tronTxId } from '@tollbridge/onchain/tron';
import { AccountBandwidth } from './account-bandwidth';
import { AnvilNode, type EvmBlock } from './anvil-node';
import type { TronNetwork } from './network';
import { prepareTransaction, type Prepared, type SignedTransaction } from './prepare-transaction';
import { TransactionExecutor } from './transaction-executor';
import { Transactions } from './transactions';
import { TronRepository } from './tron.repository';
import { Tvm, type Execution, type Simulation } from './tvm';

export interface TronChainOptions {
  rpcUrl: string;
  database: Pick<Database, 'pool'>;
  network: TronNetwork;
  /** Called when the node has removed blocks, which may include the genesis. */
  onRollback(): void;
}

// Replaces the signature of genesis transactions, which have none.
const noSignature = '00'.repeat(65);

/**
 * A Tron network on a local EVM node. It validates transactions as a full node does, and executes them on the EVM node.
 */
export class TronChain {
  readonly node: AnvilNode;
  readonly tvm: Tvm;
  readonly network: TronNetwork;
  readonly transactions: Transactions;
  readonly bandwidth: AccountBandwidth;
  private readonly executor: TransactionExecutor;
  private queue: Promise<unknown> = Promise.resolve();

  constructor({ rpcUrl, database, network, onRollback }: TronChainOptions) {
    this.network = network;
    this.node = new AnvilNode(rpcUrl);
    this.tvm = new Tvm(this.node);
    this.transactions = new Transactions(this.node, new TronRepository(database), onRollback);
    this.bandwidth = new AccountBandwidth(network, this.transactions);
    this.executor = new TransactionExecutor(this.node, this.tvm, network);
  }

  async start(): Promise<void> {
    // A kill between an execution and its record leaves one of them in the pool.
    await this.node.call('anvil_dropAllTransactions');
    // Nodes omit the height 0 in replies, and no client expects the first block as the head.
    if ((await this.node.height()) === 0) await this.tvm.mine();
  }

  async head(): Promise<EvmBlock> {
    return (await this.node.block('latest'))!;
  }

  /** Returns the height of the newest solid block. */
  async solidHeight(): Promise<number> {
    return Math.max(0, (await this.node.height()) - this.network.solidAfterBlocks);
  }

  /**
   * Executes a transaction in the next block. Returns its id, even when its contract failed, because the network still
   * charges it.
   * @throws TronRejection for a transaction that a node rejects, without any effect
   */
  broadcast(signed: SignedTransaction): Promise<string> {
    return this.exclusively(async () => {
      const prepared = await prepareTransaction(this, signed);
      await this.carryOut(prepared);
      return prepared.id;
    });
  }

  /** Executes a transaction without a signature and without a fee, unless a block already contains it. */
  ensure(rawData: Uint8Array, abi?: unknown): Promise<void> {
    return this.exclusively(async () => {
      const id = tronTxId(rawData);
      const raw = decodeRawData(rawData);
      const mined = await this.transactions.find(id);
      // A kill after the block leaves a deployed contract without its code.
      if (mined && raw.contract.type === 'CreateSmartContract') await this.executor.installCode(mined);
      if (mined) return;
      const signed = { rawData, signatures: [noSignature], abi };
      await this.carryOut({ signed, raw, id, netUsage: 0n, netFee: 0n });
    });
  }

  /** Returns the result and the cost of an execution in the next block. */
  simulate(execution: Execution): Promise<Simulation> {
    return this.exclusively(() => this.tvm.simulate(execution));
  }

  /** Mines a block without transactions. */
  mine(): Promise<void> {
    return this.exclusively(() => this.tvm.mine());
  }

  /** Resolves when all started requests have ended. */
  async idle(): Promise<void> {
    await this.queue;
  }

  private async carryOut(prepared: Prepared): Promise<void> {
    try {
      await this.tvm.prepareBlock();
      const record = await this.executor.execute(prepared);
      await this.transactions.record(record);
      await this.tvm.mine();
      await this.executor.settle(prepared.raw, record);
    } catch (error) {
      await this.node.call('anvil_dropAllTransactions');
      throw error;
    }
  }

  /** Runs tasks one at a time, because each depends on the state after the previous task. */
  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}
