import { Worker } from 'node:worker_threads';
import type { checkLength as CheckLength, Task, TaskResult, verdicts } from './verify-worker';

export type Verdict = keyof typeof verdicts;

/** What is asked of a thread at once: larger groups save messages, smaller ones spread over the cores. */
const maxGroup = 32;
// The same as in the worker, whose file is loaded by threads only.
const checkLength: typeof CheckLength = 128;
const restartMs = 200;
const verdictOf: readonly Verdict[] = ['wrong', 'right', 'weakKey'];

interface Check {
  bytes: Buffer;
  isNewKey: boolean;
  resolve(verdict: Verdict | undefined): void;
}

interface Thread {
  worker: Worker;
  /** Items that it has not answered. */
  load: number;
  waiting: Map<number, { count: number; resolve(bytes: Uint8Array | undefined): void }>;
}

export interface VerifierOptions {
  /** The compiled `verify-worker`. */
  workerFile: string;
  threads: number;
  /** The enclave's secret, 32 bytes. */
  seed: Uint8Array;
  /** More wait for no thread: they are told at once that the enclave is busy. */
  maxQueued: number;
  onThreadLost(error: unknown): void;
}

/**
 * Threads that check and make signatures. What is asked for within one turn of the loop goes to a thread together; a thread
 * that dies is replaced, and what it had is answered by undefined: nobody knows.
 */
export class Verifier {
  private threads: Thread[] = [];
  private queue: Check[] = [];
  /** What is being looked at: of a thousand copies of a payment one is checked. */
  private readonly underWay = new Map<string, Promise<Verdict | undefined>>();
  private lastTask = 0;
  private isScheduled = false;
  private isClosed = false;

  constructor(private readonly options: VerifierOptions) {
    for (let count = 0; count < options.threads; count++) this.startThread();
  }

  get queued(): number {
    return this.queue.length + this.threads.reduce((sum, { load }) => sum + load, 0);
  }

  get isFull(): boolean {
    return this.queued >= this.options.maxQueued;
  }

  /** Undefined if nobody could look at it. */
  check(
    digest: Buffer,
    publicKey: Buffer,
    signature: Buffer,
    isNewKey: boolean,
  ): Promise<Verdict | undefined> {
    const bytes = Buffer.concat([digest, publicKey, signature], checkLength);
    const name = bytes.toString('latin1');
    const same = this.underWay.get(name);
    if (same) return same;
    const verdict = new Promise<Verdict | undefined>((resolve) => {
      const tell = (found: Verdict | undefined): void => {
        this.underWay.delete(name);
        resolve(found);
      };
      this.queue.push({ bytes, isNewKey, resolve: tell });
      this.schedule();
    });
    this.underWay.set(name, verdict);
    return verdict;
  }

  /** The enclave's signatures of these digests. */
  async sign(digests: readonly Buffer[]): Promise<Buffer[] | undefined> {
    const answer = await this.ask('sign', Buffer.concat(digests), digests.length);
    return answer && digests.map((_, index) => Buffer.from(answer.subarray(index * 64, (index + 1) * 64)));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()));
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.dispatch();
    });
  }

  private dispatch(): void {
    // New keys are rare and slow: they do not hold up the others.
    const [fresh, known] = [
      this.queue.filter(({ isNewKey }) => isNewKey),
      this.queue.filter((each) => !each.isNewKey),
    ];
    this.queue = [];
    const size = Math.min(maxGroup, Math.ceil(known.length / Math.max(1, this.threads.length)));
    for (let at = 0; at < known.length; at += size)
      void this.checkGroup('verify', known.slice(at, at + size));
    for (let at = 0; at < fresh.length; at += 4)
      void this.checkGroup('verify-new-keys', fresh.slice(at, at + 4));
  }

  private async checkGroup(kind: 'verify' | 'verify-new-keys', group: Check[]): Promise<void> {
    const answer = await this.ask(kind, Buffer.concat(group.map(({ bytes }) => bytes)), group.length);
    group.forEach(({ resolve }, index) => resolve(answer && verdictOf[answer[index]!]));
  }

  private ask(kind: Task['kind'], content: Buffer, count: number): Promise<Uint8Array | undefined> {
    if (this.isClosed) return Promise.resolve(undefined);
    // Threads may be starting anew.
    if (this.threads.length === 0) return Promise.resolve(undefined);
    const thread = this.threads.reduce((least, each) => (each.load < least.load ? each : least));
    const id = ++this.lastTask;
    // A copy of its own, which the thread takes over.
    const bytes = new Uint8Array(content);
    return new Promise((resolve) => {
      thread.load += count;
      thread.waiting.set(id, { count, resolve });
      thread.worker.postMessage({ id, kind, bytes } satisfies Task, [bytes.buffer]);
    });
  }

  private startThread(): void {
    const { workerFile, seed, onThreadLost } = this.options;
    const worker = new Worker(workerFile, { workerData: { seed } });
    const thread: Thread = { worker, load: 0, waiting: new Map() };
    worker.on('message', ({ id, bytes }: TaskResult) => {
      const waiting = thread.waiting.get(id);
      if (!waiting) return;
      thread.waiting.delete(id);
      thread.load -= waiting.count;
      waiting.resolve(bytes);
    });
    worker.on('error', (error) => onThreadLost(error));
    worker.on('exit', () => {
      this.threads = this.threads.filter((each) => each !== thread);
      for (const { resolve } of thread.waiting.values()) resolve(undefined);
      // A file that cannot be run must not be tried in a loop.
      setTimeout(() => !this.isClosed && this.startThread(), restartMs).unref();
    });
    this.threads.push(thread);
  }
}
