import type { Address, Cell, TupleItem } from '@ton/core';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TvmReply, TvmTask } from './tvm-worker';

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

interface Thread {
  worker: Worker;
  /** Tasks without an answer, by their ids. */
  waiting: Map<number, { resolve(result: unknown): void; reject(error: Error): void }>;
}

// Compiled: a thread of a test could not read TypeScript.
const workerFile = __filename.endsWith('.ts')
  ? join(__dirname, '../../dist/ton/tvm-worker.js')
  : join(__dirname, 'tvm-worker.js');
// To start anew takes 300 ms; a minute without any call is the end of what somebody was doing.
const idleMs = 60_000;

/**
 * TON's own virtual machine and transaction executor, as WebAssembly: what is computed here is what the network computes. It
 * runs in a thread that is ended after a minute without work, because a thread gives its memory back, some 50 MB, and a
 * module in the main thread never does.
 */
export class Tvm {
  private thread: Thread | undefined;
  private lastTask = 0;
  private idling: NodeJS.Timeout | undefined;

  constructor(
    private readonly core: typeof import('@ton/core'),
    private readonly idleAfterMs = idleMs,
  ) {}

  /** @throws Error when the thread ends before it has answered */
  async run({ shardAccount, message, nowS, lt, ignoreSignature = false }: TvmMessage): Promise<TvmRun> {
    const task = { shardAccount, message: bocOf(message), nowS, lt, ignoreSignature };
    return (await this.ask({ kind: 'run', ...task })) as TvmRun;
  }

  /** @throws Error when the method could not be run, or the thread ends before it has answered */
  async call({ address, code, data, stack, ...call }: TvmCall): Promise<TvmAnswer> {
    const { Cell, parseTuple, serializeTuple } = this.core;
    const cells = { code: bocOf(code), data: bocOf(data), stack: bocOf(serializeTuple(stack)) };
    const task: TvmTask = { kind: 'call', ...call, ...cells, address: address.toRawString() };
    const answer = (await this.ask(task)) as { exitCode: number; gasUsed: number; stack: string | null };
    return { ...answer, stack: answer.stack === null ? [] : parseTuple(Cell.fromBase64(answer.stack)) };
  }

  /** Whether the thread is there, with its memory. */
  get isRunning(): boolean {
    return this.thread !== undefined;
  }

  /** Ends the thread; what waits for it fails. The next task starts another. */
  async close(): Promise<void> {
    clearTimeout(this.idling);
    const { thread } = this;
    this.thread = undefined;
    await thread?.worker.terminate();
  }

  private ask(task: TvmTask): Promise<unknown> {
    clearTimeout(this.idling);
    const { worker, waiting } = (this.thread ??= this.start());
    const id = ++this.lastTask;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, task });
    });
  }

  private start(): Thread {
    if (!existsSync(workerFile)) throw new Error(`${workerFile} is missing. Build it: npm run build`);
    const thread: Thread = { worker: new Worker(workerFile), waiting: new Map() };
    const { worker, waiting } = thread;
    worker.unref();
    worker.on('message', ({ id, error, result }: TvmReply) => {
      const { resolve, reject } = waiting.get(id)!;
      waiting.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
      if (waiting.size > 0 || this.thread !== thread) return;
      this.idling = setTimeout(() => void this.close(), this.idleAfterMs).unref();
    });
    let cause: Error | undefined;
    worker.on('error', (error) => (cause = error as Error));
    worker.on('exit', () => {
      if (this.thread === thread) this.thread = undefined;
      for (const { reject } of waiting.values())
        reject(new Error('the thread of the virtual machine has ended', { cause }));
      waiting.clear();
    });
    return thread;
  }
}

const bocOf = (cell: Cell): string => cell.toBoc().toString('base64');
