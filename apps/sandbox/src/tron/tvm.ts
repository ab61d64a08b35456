import { dataLength } from 'ethers';
import type { AnvilNode } from './anvil-node';
import { energyByAccount, type TraceStep } from './energy';

/** An execution. Addresses are `0x` text of 20 bytes, and amounts are in sun. */
export interface Execution {
  from: string;
  to: string;
  value: bigint;
  data: string;
  /** Code of the account `to` during the execution: creation code, which returns the code of the contract. */
  code?: string;
}

export type ContractResult = 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY' | 'ILLEGAL_OPERATION';

export interface Simulation {
  result: ContractResult;
  /** `0x` text that the execution returned or reverted with. */
  returned: string;
  /** Energy including the penalty. */
  energy: bigint;
  /** The energy that dynamic energy adds for heavily used contracts. */
  penalty: bigint;
}

// Anvil's block limit is 30 million gas.
const gasUnits = `0x${(29_000_000).toString(16)}`;
const codeByteEnergy = 200n;
const factorUnit = 10_000n;
const traceOptions = { disableMemory: true, disableStorage: true };

interface Trace {
  failed: boolean;
  returnValue: string;
  structLogs: TraceStep[];
}

/** Executes contracts on a local EVM node, and prices them in energy. One execution runs at a time. */
export class Tvm {
  /** Dynamic energy factors in ten-thousandths, by `0x` address in lower case. The maximum is 34,000. */
  readonly energyFactors = new Map<string, bigint>();

  constructor(private readonly node: AnvilNode) {}

  /** Simulates an execution in the next block, without a change of the state. */
  async simulate(execution: Execution): Promise<Simulation> {
    const { from, to, code } = execution;
    const overrides = code === undefined ? {} : { stateOverrides: { [to]: { code } } };
    const call = {
      from,
      to,
      value: hex(execution.value),
      data: execution.data,
      gas: gasUnits,
      gasPrice: '0x0',
    };
    const options = { ...traceOptions, ...overrides };
    const trace = await this.node.call<Trace>('debug_traceCall', call, 'pending', options);
    const returned = `0x${trace.returnValue.replace(/^0x/, '')}`;
    const steps = trace.structLogs;
    const deposit = code === undefined || trace.failed ? 0n : BigInt(dataLength(returned)) * codeByteEnergy;
    const used = [...energyByAccount(steps, from, to)];
    const energy = used.reduce((sum, [, units]) => sum + units, deposit);
    const penalty = used.reduce((sum, [account, units]) => sum + this.penaltyOf(account, units), 0n);
    return { result: resultOf(trace), returned, energy: energy + penalty, penalty };
  }

  /** Sends an execution to the pool. Returns the hash of its transaction on the EVM node. */
  async send({ from, to, value, data, code }: Execution): Promise<string> {
    if (code !== undefined) await this.node.call('anvil_setCode', to, code);
    await this.node.call('anvil_impersonateAccount', from);
    const transaction = { from, to, value: hex(value), data, gas: gasUnits, gasPrice: '0x0' };
    return this.node.call('eth_sendTransaction', transaction);
  }

  /** Sets the code that the creation code returned. */
  async install(address: string, code: string): Promise<void> {
    await this.node.call('anvil_setCode', address, code);
  }

  /**
   * Sets the time of the next block, which simulations use, and makes its transactions free of EVM fees. From now on,
   * the node mines blocks only on demand: after a restart, it would mine each transaction immediately.
   */
  async prepareBlock(): Promise<void> {
    await this.node.call('evm_setAutomine', false);
    const pending = await this.node.block('pending');
    await this.node.call('evm_setNextBlockTimestamp', Number(pending!.timestamp));
    await this.node.call('anvil_setNextBlockBaseFeePerGas', '0x0');
  }

  async mine(): Promise<void> {
    await this.node.call('evm_mine');
  }

  /** Burns sun of an account. */
  async burn(address: string, amount: bigint): Promise<void> {
    const rest = (await this.node.balance(address)) - amount;
    await this.node.call('anvil_setBalance', address, hex(rest));
  }

  /** Whether the account is activated: it has coins or code, or has sent a transaction. */
  async exists(address: string): Promise<boolean> {
    const [balance, code, nonce] = await Promise.all([
      this.node.balance(address),
      this.node.code(address),
      this.node.call<string>('eth_getTransactionCount', address, 'latest'),
    ]);
    return balance > 0n || code !== '0x' || BigInt(nonce) > 0n;
  }

  private penaltyOf(account: string, units: bigint): bigint {
    return (units * (this.energyFactors.get(account) ?? 0n)) / factorUnit;
  }
}

function resultOf({ failed, structLogs }: Trace): ContractResult {
  if (!failed) return 'SUCCESS';
  const op = structLogs.at(-1)?.op;
  if (op === 'REVERT') return 'REVERT';
  // solc emits INVALID. The node reports an unknown opcode under another name.
  return op === 'INVALID' ? 'ILLEGAL_OPERATION' : 'OUT_OF_ENERGY';
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
