import { tronContractAddress, type TronRawData, type TronTransfer } from '@tollbridge/onchain/tron';
import type { AnvilNode, EvmReceipt } from './anvil-node';
import { evmAddress as evm } from './evm-address';
import type { TronNetwork } from './network';
import type { Prepared } from './prepare-transaction';
import type { TransactionRecord } from './transactions';
import { invalidContract } from './tron-rejection';
import type { Execution, Tvm } from './tvm';

/** Executes transactions on the EVM node, with the energy and the fees of Tron. */
export class TransactionExecutor {
  constructor(
    private readonly node: AnvilNode,
    private readonly tvm: Tvm,
    private readonly network: TronNetwork,
  ) {}

  /** Sends the execution to the pool. @throws TronRejection for a transaction that a node does not execute */
  async execute(prepared: Prepared): Promise<TransactionRecord> {
    const { contract } = prepared.raw;
    return contract.type === 'TransferContract'
      ? this.transfer(prepared, contract)
      : this.runContract(prepared, await this.executionOf(prepared));
  }

  /** Completes the block of the execution: sets the code of a deployed contract, and charges the fees. */
  async settle(raw: TronRawData, record: TransactionRecord): Promise<void> {
    await this.requireExecuted(record);
    if (raw.contract.type === 'CreateSmartContract') await this.installCode(record);
    const fee = BigInt(record.energyFee) + BigInt(record.netFee) + BigInt(record.accountFee);
    await this.tvm.burn(evm(raw.contract.owner), fee);
  }

  /** Sets the code that a deployment returned. Has no effect when the code is already set. */
  async installCode({ contract, result, returned }: TransactionRecord): Promise<void> {
    if (result !== 'SUCCESS') return;
    const address = evm(contract!);
    if ((await this.node.code(address)) !== returned) await this.tvm.install(address, returned);
  }

  private async transfer(
    prepared: Prepared,
    { owner, to, amount }: TronTransfer,
  ): Promise<TransactionRecord> {
    if (owner === to) throw invalidContract('Cannot transfer TRX to yourself.');
    if (amount <= 0n) throw invalidContract('Amount must be greater than 0.');
    if ((await this.node.code(evm(to))) !== '0x')
      throw invalidContract('Cannot transfer TRX to a smartContract.');
    const accountFee = (await this.tvm.exists(evm(to))) ? 0n : this.network.newAccountFee;
    // The fee for a new account replaces the fee for bandwidth.
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

  /**
   * Returns the execution of a call or a deployment. @throws TronRejection for a transaction that a node does not
   * execute
   */
  private async executionOf({ raw, id, netFee }: Prepared): Promise<Execution> {
    const { contract, feeLimit } = raw;
    if (contract.type === 'TransferContract') throw new Error('a transfer executes no contract');
    if (feeLimit < 0n || feeLimit > this.network.maxFeeLimit)
      throw invalidContract(`feeLimit must be >= 0 and <= ${this.network.maxFeeLimit}`);
    const from = evm(contract.owner);
    const value = contract.callValue;
    if (value + netFee > (await this.node.balance(from)))
      throw invalidContract('Validate InternalTransfer error, balance is not sufficient.');
    if (contract.type === 'CreateSmartContract') {
      const to = evm(tronContractAddress(id, contract.owner));
      return { from, to, value, data: '0x', code: contract.code };
    }
    const to = evm(contract.contract);
    if ((await this.node.code(to)) === '0x')
      throw invalidContract('No contract or not a valid smart contract');
    return { from, to, value, data: contract.data };
  }

  /**
   * Executes a contract. Fee limit and balance limit the energy. A transaction that runs out of energy costs all of it.
   */
  private async runContract(prepared: Prepared, execution: Execution): Promise<TransactionRecord> {
    const { raw, netFee, id } = prepared;
    const { energyPrice } = this.network;
    const balance = (await this.node.balance(execution.from)) - execution.value - netFee;
    const limit = (raw.feeLimit < balance ? raw.feeLimit : balance) / energyPrice;
    const simulation = await this.tvm.simulate(execution);
    const isAffordable = simulation.energy <= limit;
    const result = isAffordable ? simulation.result : 'OUT_OF_ENERGY';
    const hasReturned = result === 'SUCCESS' || result === 'REVERT';
    const energy = hasReturned ? simulation.energy : limit;
    const isCreation = execution.code !== undefined;
    const record: TransactionRecord = {
      ...emptyRecord(prepared),
      result,
      returned: hasReturned ? simulation.returned : '0x',
      energy: String(energy),
      penalty: String(isAffordable ? simulation.penalty : 0n),
      energyFee: String(energy * energyPrice),
      contract: isCreation ? tronContractAddress(id, raw.contract.owner) : contractOf(raw),
    };
    if (result !== 'SUCCESS') return record;
    return { ...record, execution: await this.tvm.send(execution) };
  }

  /** Verifies that the block has the outcome of the simulation, which the record contains. */
  private async requireExecuted({ execution }: TransactionRecord): Promise<void> {
    if (execution === null) return;
    const receipt = await this.node.call<EvmReceipt | null>('eth_getTransactionReceipt', execution);
    if (receipt?.status !== '0x1') throw new Error(`the EVM node did not execute ${execution} as simulated`);
  }
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
