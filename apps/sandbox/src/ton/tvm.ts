import type { Address, Cell, TupleItem } from '@ton/core';
import { join } from 'node:path';
import { IdleThread } from '../networks/idle-thread';
import type { TvmTask } from './tvm-worker';

/** Effect of a message on an account, or why the account rejected it. */
export type TvmRun =
  | { isTaken: true; shardAccount: string; transaction: string }
  | { isTaken: false; error: string; exitCode: number | undefined };

export interface TvmMessage {
  /** Base64 of the state of the receiving account. */
  shardAccount: string;
  message: Cell;
  nowS: number;
  lt: bigint;
  /** For estimates of unsigned messages. */
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

// Compiled: a thread of a test could not load TypeScript.
const workerFile = __filename.endsWith('.ts')
  ? join(__dirname, '../../dist/ton/tvm-worker.js')
  : join(__dirname, 'tvm-worker.js');
// A start takes 300 ms; after a minute without a call, a client has probably finished.
const idleMs = 60_000;

/**
 * TON's own virtual machine and transaction executor as WebAssembly: it computes what the network computes. It runs in
 * a thread that holds some 50 MB until a minute without work.
 */
export class Tvm {
  private readonly thread: IdleThread<TvmTask, unknown>;

  constructor(
    private readonly core: typeof import('@ton/core'),
    idleAfterMs = idleMs,
  ) {
    this.thread = new IdleThread(workerFile, idleAfterMs);
  }

  /** @throws Error when the thread ends before it replied */
  async run({ shardAccount, message, nowS, lt, ignoreSignature = false }: TvmMessage): Promise<TvmRun> {
    const task = { shardAccount, message: bocOf(message), nowS, lt, ignoreSignature };
    return (await this.thread.ask({ kind: 'run', ...task })) as TvmRun;
  }

  /** @throws Error when the method could not run, or the thread ends before it replied */
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

  /** Whether the thread exists and holds its memory. */
  get isRunning(): boolean {
    return this.thread.isRunning;
  }

  /** Ends the thread and fails pending tasks. The next task starts another one. */
  close(): Promise<void> {
    return this.thread.close();
  }
}

const bocOf = (cell: Cell): string => cell.toBoc().toString('base64');
