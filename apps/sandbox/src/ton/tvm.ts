import type { Address, Cell, TupleItem } from '@ton/core';
import { join } from 'node:path';
import { IdleThread } from '../networks/idle-thread';
import type { TvmTask } from './tvm-worker';

/** The effect of a message on an account, or the reason why the account rejected the message. */
export type TvmRun =
  | { isTaken: true; shardAccount: string; transaction: string }
  | { isTaken: false; error: string; exitCode: number | undefined };

export interface TvmMessage {
  /** State of the receiving account in base64. */
  shardAccount: string;
  message: Cell;
  nowS: number;
  lt: bigint;
  /** Set for fee estimates of unsigned messages. */
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

// The compiled file, because a thread of a test cannot load TypeScript.
const workerFile = __filename.endsWith('.ts')
  ? join(__dirname, '../../dist/ton/tvm-worker.js')
  : join(__dirname, 'tvm-worker.js');
// A start takes 300 ms. After a minute without a call, a client has probably finished.
const idleMs = 60_000;

/**
 * TON's virtual machine and transaction executor as WebAssembly, with the same results as the network. They run in a
 * thread that uses about 50 MB, and that ends after a minute without tasks.
 */
export class Tvm {
  private readonly thread: IdleThread<TvmTask, unknown>;

  constructor(
    private readonly core: typeof import('@ton/core'),
    idleAfterMs = idleMs,
  ) {
    this.thread = new IdleThread(workerFile, idleAfterMs);
  }

  /** @throws Error when the thread ends without a reply */
  async run({ shardAccount, message, nowS, lt, ignoreSignature = false }: TvmMessage): Promise<TvmRun> {
    const task = { shardAccount, message: bocOf(message), nowS, lt, ignoreSignature };
    return (await this.thread.ask({ kind: 'run', ...task })) as TvmRun;
  }

  /** @throws Error when the method could not run, or the thread ends without a reply */
  async call({ address, code, data, stack, ...call }: TvmCall): Promise<TvmAnswer> {
    const { Cell, parseTuple, serializeTuple } = this.core;
    const cells = { code: bocOf(code), data: bocOf(data), stack: bocOf(serializeTuple(stack)) };
    const task: TvmTask = { kind: 'call', ...call, ...cells, address: address.toRawString() };
    const answer = (await this.thread.ask(task)) as {
      exitCode: number;
      gasUsed: number;
      stack: string | null;
    };
    return { ...answer, stack: answer.stack === null ? [] : parseTuple(Cell.fromBase64(answer.stack)) };
  }

  /** Whether the thread exists and uses its memory. */
  get isRunning(): boolean {
    return this.thread.isRunning;
  }

  /** Ends the thread and fails pending tasks. The next task starts another one. */
  close(): Promise<void> {
    return this.thread.close();
  }
}

const bocOf = (cell: Cell): string => cell.toBoc().toString('base64');
