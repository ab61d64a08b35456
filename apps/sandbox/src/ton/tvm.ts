import type { Address, Cell, TupleItem } from '@ton/core';
import type { Executor } from '@ton/sandbox/dist/executor/Executor';

/** What a message did to an account, or why the account did not take it. */
export type TvmRun =
  | { isTaken: true; shardAccount: string; transaction: string }
  | { isTaken: false; error: string; exitCode: number | undefined };

export interface TvmMessage {
  /** Base64 of the state of the account that gets the message. */
  shardAccount: string;
  message: Cell;
  nowS: number;
  lt: bigint;
  /** For estimates of what is not signed yet. */
  ignoreSignature?: boolean;
}

export interface TvmCall {
  address: Address;
  code: Cell;
  data: Cell;
  balance: bigint;
  methodId: number;
  stack: TupleItem[];
  nowS: number;
}

export interface TvmAnswer {
  exitCode: number;
  gasUsed: number;
  stack: TupleItem[];
}

// Of a get method: what lite servers allow.
const gasLimit = 1_000_000n;
const randomSeed = Buffer.alloc(32);

/** TON's own virtual machine and transaction executor, as WebAssembly: what is computed here is what the network computes. */
export class Tvm {
  private constructor(
    private readonly executor: Executor,
    private readonly config: string,
    private readonly core: typeof import('@ton/core'),
  ) {}

  /** Takes some 300 ms and 60 MB: by the first who asks for the chain. */
  static async load(): Promise<Tvm> {
    const [{ Executor }, { slimConfig }, core] = await Promise.all([
      // Without what surrounds it, which is for tests of contracts.
      import('@ton/sandbox/dist/executor/Executor'),
      // The prices and limits of the main network, without what no contract here asks for.
      import('@ton/sandbox/dist/config/slimConfig'),
      import('@ton/core'),
    ]);
    return new Tvm(await Executor.create(), slimConfig, core);
  }

  async run({ shardAccount, message, nowS, lt, ignoreSignature = false }: TvmMessage): Promise<TvmRun> {
    const { result } = await this.executor.runTransaction({
      ...{ config: this.config, libs: null, verbosity: 'short', randomSeed, debugEnabled: false },
      ...{ shardAccount, message, now: nowS, lt, ignoreChksig: ignoreSignature },
    });
    if (result.success)
      return { isTaken: true, shardAccount: result.shardAccount, transaction: result.transaction };
    return { isTaken: false, error: result.error, exitCode: result.vmResults?.vmExitCode };
  }

  async call({ nowS, ...call }: TvmCall): Promise<TvmAnswer> {
    const { output } = await this.executor.runGetMethod({
      ...{ config: this.config, verbosity: 'short', randomSeed, gasLimit, debugEnabled: false },
      ...call,
      unixTime: nowS,
    });
    if (!output.success) throw new Error(`the get method could not be run: ${output.error}`);
    const { Cell, parseTuple } = this.core;
    const isSuccess = output.vm_exit_code === 0 || output.vm_exit_code === 1;
    return {
      exitCode: isSuccess ? 0 : output.vm_exit_code,
      gasUsed: Number(output.gas_used),
      stack: isSuccess ? parseTuple(Cell.fromBase64(output.stack)) : [],
    };
  }
}
