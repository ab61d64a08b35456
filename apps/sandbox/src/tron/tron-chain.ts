import {
  decodeRawData,
  encodeMessage,
  refBlock,
  tronContractAddress,
  tronToEvmAddress,
  tronTxId,
  type TronRawData,
} from '@tollbridge/onchain/tron';
import { AccountBandwidth } from './account-bandwidth';
import { AnvilNode, type EvmBlock, type EvmReceipt } from './anvil-node';
import { blockRef, blockTimeMs } from './blocks';
import type { TronNetwork } from './network';
import { signatureError, signerOf } from './signature';
import { Transactions, type TransactionRecord } from './transactions';
import { invalidContract, TronRejection } from './tron-rejection';
import { Tvm, type Execution, type Simulation } from './tvm';

const maxBytes = 500 * 1_024;
// A node adds the result to what it stores.
const resultBytes = 64;
const recentBlocks = 65_536;
const maxLifetimeMs = 86_400_000;

export interface SignedTransaction {
  rawData: Uint8Array;
  /** Hex without `0x`. */
  signatures: readonly string[];
  /** The ABI of a deployed contract, as JSON. */
  abi?: unknown;
}

interface Prepared {
  signed: SignedTransaction;
  raw: TronRawData;
  id: string;
  head: EvmBlock;
  netUsage: bigint;
  netFee: bigint;
}

/** A Tron network over a local EVM node: validates transactions as a full node does, then executes them there. */
export class TronChain {
  readonly node: AnvilNode;
  readonly tvm: Tvm;
  readonly transactions: Transactions;
  readonly bandwidth: AccountBandwidth;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    rpcUrl: string,
    readonly network: TronNetwork,
  ) {
    this.node = new AnvilNode(rpcUrl);
    this.tvm = new Tvm(this.node);
    this.transactions = new Transactions(this.node);
    this.bandwidth = new AccountBandwidth(network);
  }

  /** From now on blocks are mined only for transactions of this chain, and on demand. */
  async start(): Promise<void> {
    await this.node.call('evm_setAutomine', false);
    // Nodes leave the height 0 out of their answers, and no client expects the first block as the head.
    if ((await this.node.height()) === 0) await this.tvm.mine();
  }

  async head(): Promise<EvmBlock> {
    return (await this.node.block('latest'))!;
  }

  /** The height of the newest solid block. */
  async solidHeight(): Promise<number> {
    return Math.max(0, (await this.node.height()) - this.network.solidAfterBlocks);
  }

  /**
   * Executes a transaction in the next block. Returns its id, also when its contract failed: the network charges for that.
   * @throws TronRejection for a transaction that a node does not take; it has no effect then
   */
  broadcast(signed: SignedTransaction): Promise<string> {
    return this.exclusively(async () => {
      const prepared = await this.prepare(signed);
      await this.tvm.prepareBlock();
      const record = await this.execute(prepared);
      await this.transactions.record(record);
      await this.tvm.mine();
      await this.settle(prepared, record);
      return prepared.id;
    });
  }

  /** What an execution in the next block returns and costs. */
  simulate(execution: Execution): Promise<Simulation> {
    return this.exclusively(() => this.tvm.simulate(execution));
  }

  /** One at a time: each sees the state that the one before left. */
  private exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async prepare(signed: SignedTransaction): Promise<Prepared> {
    const raw = readRawData(signed.rawData);
    const id = tronTxId(signed.rawData);
    const { owner } = raw.contract;
    if (signed.signatures.length !== 1) throw signatureError('one signature is needed');
    if (signerOf(id, signed.signatures[0]!) !== owner)
      throw signatureError(`${owner} is not the account that signed`);
    const head = await this.head();
    await this.requireRecentBlock(raw, head);
    requireValidTime(raw, blockTimeMs(head));
    const size = BigInt(sizeOf(signed));
    if (size > BigInt(maxBytes)) throw new TronRejection('TOO_BIG_TRANSACTION_ERROR', 'Too big transaction');
    if (await this.transactions.find(id))
      throw new TronRejection('DUP_TRANSACTION_ERROR', 'Dup transaction.');
    if (!(await this.tvm.exists(evm(owner)))) throw invalidContract(`account [${owner}] does not exist`);
    const netUsage = size + BigInt(resultBytes);
    const netFee = this.bandwidth.feeOf(owner, netUsage, blockTimeMs(head));
    if (netFee > (await this.node.balance(evm(owner))))
      throw new TronRejection('BANDWITH_ERROR', 'Account resource insufficient error.');
    return { signed, raw, id, head, netUsage, netFee };
  }

  private async execute(prepared: Prepared): Promise<TransactionRecord> {
    const { raw } = prepared;
    return raw.contract.type === 'TransferContract'
      ? this.transfer(prepared, raw.contract)
      : this.runContract(prepared, await this.executionOf(prepared));
  }

  private async transfer(
    prepared: Prepared,
    { owner, to, amount }: Extract<TronRawData['contract'], { type: 'TransferContract' }>,
  ): Promise<TransactionRecord> {
    if (owner === to) throw invalidContract('Cannot transfer TRX to yourself.');
    if (amount <= 0n) throw invalidContract('Amount must be greater than 0.');
    if ((await this.node.code(evm(to))) !== '0x')
      throw invalidContract('Cannot transfer TRX to a smartContract.');
    const accountFee = (await this.tvm.exists(evm(to))) ? 0n : this.network.newAccountFee;
    // The fee of a new account takes the place of the fee for bandwidth.
    const netFee = accountFee > 0n ? 0n : prepared.netFee;
    if (amount + accountFee + netFee > (await this.node.balance(evm(owner))))
      throw invalidContract('Validate TransferContract error, balance is not sufficient.');
    const execution = { from: evm(owner), to: evm(to), value: amount, data: '0x' };
    return {
      ...emptyRecord({ ...prepared, netFee }),
      execution: await this.tvm.send(execution),
      accountFee: String(accountFee),
    };
  }

  /** The execution of a call or a deployment. @throws TronRejection for one that a node does not begin */
  private async executionOf({ raw, id, netFee }: Prepared): Promise<Execution> {
    const { contract, feeLimit } = raw;
    if (contract.type === 'TransferContract') throw new Error('a transfer executes no contract');
    if (feeLimit < 0n || feeLimit > this.network.maxFeeLimit)
      throw invalidContract(`feeLimit must be >= 0 and <= ${this.network.maxFeeLimit}`);
    const from = evm(contract.owner);
    const value = contract.callValue;
    if (value + netFee > (await this.node.balance(from)))
      throw invalidContract('Validate InternalTransfer error, balance is not sufficient.');
    if (contract.type === 'CreateSmartContract')
      return {
        from,
        to: evm(tronContractAddress(id, contract.owner)),
        value,
        data: '0x',
        code: contract.code,
      };
    const to = evm(contract.contract);
    if ((await this.node.code(to)) === '0x')
      throw invalidContract('No contract or not a valid smart contract');
    return { from, to, value, data: contract.data };
  }

  /** The fee limit and the balance bound the energy; what fails for want of it costs all of it. */
  private async runContract(prepared: Prepared, execution: Execution): Promise<TransactionRecord> {
    const { raw, netFee, id } = prepared;
    const { energyPrice } = this.network;
    const balance = (await this.node.balance(execution.from)) - execution.value - netFee;
    const limit = (raw.feeLimit < balance ? raw.feeLimit : balance) / energyPrice;
    const simulation = await this.tvm.simulate(execution);
    const isAffordable = simulation.energy <= limit;
    const result = isAffordable ? simulation.result : 'OUT_OF_ENERGY';
    const energy = result === 'SUCCESS' || result === 'REVERT' ? simulation.energy : limit;
    const isCreation = execution.code !== undefined;
    const record: TransactionRecord = {
      ...emptyRecord(prepared),
      result,
      returned: result === 'SUCCESS' || result === 'REVERT' ? simulation.returned : '0x',
      energy: String(energy),
      penalty: String(isAffordable ? simulation.penalty : 0n),
      energyFee: String(energy * energyPrice),
      contract: isCreation ? tronContractAddress(id, raw.contract.owner) : contractOf(raw),
    };
    if (result !== 'SUCCESS') return record;
    return { ...record, execution: await this.tvm.send(execution) };
  }

  private async settle({ raw, head, netUsage }: Prepared, record: TransactionRecord): Promise<void> {
    const { type, owner } = raw.contract;
    await this.requireExecuted(record);
    if (type === 'CreateSmartContract' && record.result === 'SUCCESS')
      await this.tvm.install(evm(record.contract!), record.returned);
    const fee = BigInt(record.energyFee) + BigInt(record.netFee) + BigInt(record.accountFee);
    await this.tvm.burn(evm(owner), fee);
    if (BigInt(record.netFee) === 0n && BigInt(record.accountFee) === 0n)
      this.bandwidth.use(owner, netUsage, blockTimeMs(head));
  }

  /** The block must have the outcome of the simulation, which the record states. */
  private async requireExecuted({ execution }: TransactionRecord): Promise<void> {
    if (execution === null) return;
    const receipt = await this.node.call<EvmReceipt | null>('eth_getTransactionReceipt', execution);
    if (receipt?.status !== '0x1') throw new Error(`the EVM node did not execute ${execution} as simulated`);
  }

  private async requireRecentBlock(raw: TronRawData, head: EvmBlock): Promise<void> {
    const height = Number(head.number);
    const named = parseInt(raw.refBlockBytes, 16);
    const distance = (height - named) & (recentBlocks - 1);
    const block = distance > height ? null : await this.node.block(height - distance);
    if (!block || refBlock(blockRef(block)).refBlockHash !== raw.refBlockHash)
      throw new TronRejection('TAPOS_ERROR', 'Tapos check error.');
  }
}

function readRawData(bytes: Uint8Array): TronRawData {
  try {
    return decodeRawData(bytes);
  } catch (error) {
    throw invalidContract((error as Error).message);
  }
}

function requireValidTime({ expirationMs }: TronRawData, headMs: number): void {
  if (expirationMs <= headMs || expirationMs > headMs + maxLifetimeMs)
    throw new TronRejection('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
}

/** Bytes of the signed transaction. */
export function sizeOf({ rawData, signatures }: SignedTransaction): number {
  const signed = signatures.map((signature): [number, Uint8Array] => [2, Buffer.from(signature, 'hex')]);
  return encodeMessage([[1, rawData], ...signed]).length;
}

function emptyRecord({ signed, netUsage, netFee }: Prepared): TransactionRecord {
  return {
    rawData: Buffer.from(signed.rawData).toString('hex'),
    signature: signed.signatures[0]!,
    execution: null,
    result: 'SUCCESS',
    returned: '0x',
    energy: '0',
    penalty: '0',
    energyFee: '0',
    netUsage: String(netUsage),
    netFee: String(netFee),
    accountFee: '0',
    contract: null,
    abi: signed.abi ?? null,
  };
}

const contractOf = ({ contract }: TronRawData): string | null =>
  contract.type === 'TriggerSmartContract' ? contract.contract : null;

const evm = (address: string): string => tronToEvmAddress(address).toLowerCase();
