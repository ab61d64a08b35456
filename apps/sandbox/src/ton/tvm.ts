import type { Address, Cell, TupleItem } from '@ton/core';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TvmReply, TvmTask } from './tvm-worker';

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

interface Thread {
  worker: Worker;
  /** Pending tasks by id. */
  waiting: Map<number, { resolve(result: unknown): void; reject(error: Error): void }>;
}

// Compiled: a thread of a test could not load TypeScript.
const workerFile = __filename.endsWith('.ts')
  ? join(__dirname, '../../dist/ton/tvm-worker.js')
  : join(__dirname, 'tvm-worker.js');
// A start takes 300 ms; after a minute without a call, a client has probably finished.
const idleMs = 60_000;

/**
 * TON's own virtual machine and transaction executor as WebAssembly: it computes what the network computes. It runs
 * in a thread that ends after a minute without work: a thread returns its memory, some 50 MB, and a module in the
 * main thread never does.
 */
export class Tvm {
  private thread: Thread | undefined;
  private lastTask = 0;
  private idling: NodeJS.Timeout | undefined;

  constructor(
    private readonly core: typeof import('@ton/core'),
    private readonly idleAfterMs = idleMs,
  ) {}

  /** @throws Error when the thread ends before it replied */
  async run({ shardAccount, message, nowS, lt, ignoreSignature = false }: TvmMessage): Promise<TvmRun> {
    const task = { shardAccount, message: bocOf(message), nowS, lt, ignoreSignature };
    return (await this.ask({ kind: 'run', ...task })) as TvmRun;
  }

  /** @throws Error when the method could not run, or the thread ends before it replied */
  async call({ address, code, data, stack, ...call }: TvmCall): Promise<TvmAnswer> {
    const { Cell, parseTuple, serializeTuple } = this.core;
    const cells = { code: bocOf(code), data: bocOf(data), stack: bocOf(serializeTuple(stack)) };
    const task: TvmTask = { kind: 'call', ...call, ...cells, address: address.toRawString() };
    const answer = (await this.ask(task)) as { exitCode: number; gasUsed: number; stack: string | null };
    return { ...answer, stack: answer.stack === null ? [] : parseTuple(Cell.fromBase64(answer.stack)) };
  }

  /** Whether the thread exists and holds its memory. */
  get isRunning(): boolean {
    return this.thread !== undefined;
  }

  /** Ends the thread and fails pending tasks. The next task starts another one. */
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
