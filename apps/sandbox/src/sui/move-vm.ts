import { join, dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { paymentTest, type MoveTest, type PaymentCall } from './payment-test';

/** What the module does with a payment. */
export type PaymentRun = { readonly isPaid: true } | { readonly isPaid: false; readonly abortCode: number };

interface TestResult {
  passed: string[];
  failed: string[];
  output: string;
}

interface Reply {
  id: number;
  result?: TestResult;
  /** Why the test could not be run. */
  error?: string;
}

interface Thread {
  worker: Worker;
  waiting: Map<number, { resolve(result: TestResult): void; reject(error: Error): void }>;
}

// An ES module beside the sources of the package, which it compiles.
const workerFile = join(dirname(require.resolve('@tollbridge/onchain')), '../sui/move-test-worker.mjs');
// A start takes a second, a test 200 ms.
const idleMs = 5_000;
const abort = /aborted with code (\d+) originating in the module tollbridge::pay /;

/**
 * Sui's compiler and virtual machine as WebAssembly. It runs in a thread that ends soon after a payment: a thread returns its
 * memory, some 75 MB, and a module in the main thread never does.
 */
export class MoveVm {
  private thread: Thread | undefined;
  private lastTask = 0;
  private idling: NodeJS.Timeout | undefined;

  constructor(private readonly idleAfterMs = idleMs) {}

  /** @throws Error when the virtual machine does anything else than pay or abort in the module */
  async pay(call: PaymentCall): Promise<PaymentRun> {
    const { passed, output } = await this.run(paymentTest(call));
    if (passed.length === 1) return { isPaid: true };
    const code = abort.exec(output)?.[1];
    if (code === undefined)
      throw new Error(`The virtual machine disagrees with the local network: ${output}`);
    return { isPaid: false, abortCode: Number(code) };
  }

  /** Whether the thread exists and holds its memory. */
  get isRunning(): boolean {
    return this.thread !== undefined;
  }

  /** Ends the thread and fails pending payments. The next payment starts another one. */
  async close(): Promise<void> {
    clearTimeout(this.idling);
    const { thread } = this;
    this.thread = undefined;
    await thread?.worker.terminate();
  }

  private run(test: MoveTest): Promise<TestResult> {
    clearTimeout(this.idling);
    const { worker, waiting } = (this.thread ??= this.start());
    const id = ++this.lastTask;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...test });
    });
  }

  private start(): Thread {
    const thread: Thread = { worker: new Worker(workerFile), waiting: new Map() };
    const { worker, waiting } = thread;
    worker.unref();
    worker.on('message', ({ id, error, result }: Reply) => {
      const { resolve, reject } = waiting.get(id)!;
      waiting.delete(id);
      if (result) resolve(result);
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
