import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** The message of a worker file for each `{ id, task }`. */
export interface ThreadReply<Result> {
  id: number;
  result?: Result;
  /** The reason why the task could not run. */
  error?: string;
}

interface Thread<Result> {
  worker: Worker;
  /** Pending tasks by id. */
  waiting: Map<number, { resolve(result: Result): void; reject(error: Error): void }>;
}

/**
 * Runs tasks of a virtual machine in a thread, which starts with the first task and ends after a time without tasks. A
 * thread that ends frees its memory, unlike a module in the main thread.
 */
export class IdleThread<Task, Result> {
  private thread: Thread<Result> | undefined;
  private lastTask = 0;
  private idling: NodeJS.Timeout | undefined;

  constructor(
    private readonly workerFile: string,
    private readonly idleAfterMs: number,
  ) {}

  /** Whether the thread exists and uses its memory. */
  get isRunning(): boolean {
    return this.thread !== undefined;
  }

  /** @throws Error when the task could not run, or the thread ended without a reply */
  ask(task: Task): Promise<Result> {
    clearTimeout(this.idling);
    const { worker, waiting } = (this.thread ??= this.start());
    const id = ++this.lastTask;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, task });
    });
  }

  /** Ends the thread and fails pending tasks. The next task starts another one. */
  async close(): Promise<void> {
    clearTimeout(this.idling);
    const { thread } = this;
    this.thread = undefined;
    await thread?.worker.terminate();
  }

  private start(): Thread<Result> {
    const { workerFile } = this;
    if (!existsSync(workerFile)) throw new Error(`${workerFile} is missing. Build it: npm run build`);
    const thread: Thread<Result> = { worker: new Worker(workerFile), waiting: new Map() };
    const { worker, waiting } = thread;
    worker.unref();
    worker.on('message', ({ id, error, result }: ThreadReply<Result>) => {
      const { resolve, reject } = waiting.get(id)!;
      waiting.delete(id);
      if (error === undefined) resolve(result as Result);
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
