import { Address, Cell, parseTuple } from '@ton/core';
// Prices and limits of the main network, without those that the contracts here do not use.
import { slimConfig } from '@ton/sandbox/dist/config/slimConfig';
// Imported without the surrounding module, which is for contract tests.
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';

/** Cells are bags of cells in base64. */
export type TvmTask =
  | {
      kind: 'run';
      shardAccount: string;
      message: string;
      nowS: number;
      lt: bigint;
      ignoreSignature: boolean;
    }
  | {
      kind: 'call';
      /** Raw address. */
      address: string;
      code: string;
      data: string;
      balance: bigint;
      methodId: number;
      stack: string;
      nowS: number;
    };

interface TvmReply {
  id: number;
  result?: unknown;
  /** The reason why the task could not be executed. */
  error?: string;
}

// The gas limit of lite servers for get methods.
const gasLimit = 1_000_000n;
const common = {
  config: slimConfig,
  verbosity: 'short' as const,
  randomSeed: Buffer.alloc(32),
  debugEnabled: false,
};

// V8's optimising compiler uses 100 MB for this module, and the C library does not release them when the thread ends.
setFlagsFromString('--liftoff-only');
const loading = Executor.create();

parentPort!.on('message', ({ id, task }: { id: number; task: TvmTask }) => {
  const reply = (result: Omit<TvmReply, 'id'>): void => parentPort!.postMessage({ id, ...result });
  loading
    .then((executor) => (task.kind === 'run' ? run(executor, task) : call(executor, task)))
    .then((result) => reply({ result }))
    .catch((error: Error) => reply({ error: error.message }));
});

async function run(executor: Executor, task: TvmTask & { kind: 'run' }): Promise<object> {
  const { shardAccount, nowS, lt, ignoreSignature } = task;
  const { result } = await executor.runTransaction({
    ...common,
    libs: null,
    shardAccount,
    message: Cell.fromBase64(task.message),
    now: nowS,
    lt,
    ignoreChksig: ignoreSignature,
  });
  if (result.success)
    return { isTaken: true, shardAccount: result.shardAccount, transaction: result.transaction };
  return { isTaken: false, error: result.error, exitCode: result.vmResults?.vmExitCode };
}

async function call(executor: Executor, task: TvmTask & { kind: 'call' }): Promise<object> {
  const { balance, methodId, nowS } = task;
  const [code, data] = [Cell.fromBase64(task.code), Cell.fromBase64(task.data)];
  const { output } = await executor.runGetMethod({
    ...common,
    gasLimit,
    address: Address.parseRaw(task.address),
    code,
    data,
    balance,
    methodId,
    stack: parseTuple(Cell.fromBase64(task.stack)),
    unixTime: nowS,
  });
  if (!output.success) throw new Error(`the get method could not be run: ${output.error}`);
  const isSuccess = output.vm_exit_code === 0 || output.vm_exit_code === 1;
  return {
    exitCode: isSuccess ? 0 : output.vm_exit_code,
    gasUsed: Number(output.gas_used),
    stack: isSuccess ? output.stack : null,
  };
}
