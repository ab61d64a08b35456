import { Worker } from 'node:worker_threads';
import type { checkLength as CheckLength, Task, TaskResult, verdicts } from './verify-worker';

export type Verdict = keyof typeof verdicts;

/** What is asked of a thread at once: larger groups save messages, smaller ones spread over the cores. */
const maxGroup = 64;
/** Groups that a thread has: one that it looks at, and one that waits, so that it need not. What comes meanwhile gathers. */
const maxGroups = 2;
/** Of keys that are new, which take ten times as long. */
const maxNewKeys = 4;
// The same as in the worker, whose file is loaded by threads only.
const checkLength: typeof CheckLength = 128;
const restartMs = 200;
const verdictOf: readonly Verdict[] = ['wrong', 'right', 'weakKey'];

interface Check {
  bytes: Buffer;
  resolve(verdict: Verdict | undefined): void;
}

interface Thread {
  worker: Worker;
  /** Items, and groups, that it has not answered. */
  load: number;
  groups: number;
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
  private known: Check[] = [];
  /** With keys that are looked at for the first time: rare and slow, they do not hold up the others. */
  private fresh: Check[] = [];
  /** What is being looked at: of a thousand copies of a payment one is checked. */
  private readonly underWay = new Map<string, Promise<Verdict | undefined>>();
  private lastTask = 0;
  private isScheduled = false;
  private isClosed = false;

  constructor(private readonly options: VerifierOptions) {
    for (let count = 0; count < options.threads; count++) this.startThread();
  }

  get queued(): number {
    return this.known.length + this.fresh.length + this.threads.reduce((sum, { load }) => sum + load, 0);
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
      (isNewKey ? this.fresh : this.known).push({ bytes, resolve: tell });
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
    for (const { resolve } of this.takeAll()) resolve(undefined);
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
    while (this.known.length + this.fresh.length > 0) {
      const free = this.threads.filter(({ groups }) => groups < maxGroups).length;
      if (free === 0) break;
      const size = Math.min(maxGroup, Math.ceil(this.known.length / free));
      // In turns, so that new buyers are not kept waiting by the others for ever.
      if (size > 0) void this.checkGroup('verify', this.known.splice(0, size));
      if (this.fresh.length > 0) void this.checkGroup('verify-new-keys', this.fresh.splice(0, maxNewKeys));
    }
    // Without threads nobody can look.
    if (this.threads.length === 0) for (const { resolve } of this.takeAll()) resolve(undefined);
  }

  private takeAll(): Check[] {
    return [...this.known.splice(0), ...this.fresh.splice(0)];
  }

  private async checkGroup(kind: 'verify' | 'verify-new-keys', group: Check[]): Promise<void> {
    const answer = await this.ask(kind, Buffer.concat(group.map(({ bytes }) => bytes)), group.length);
    group.forEach(({ resolve }, index) => resolve(answer && verdictOf[answer[index]!]));
    this.schedule();
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
      thread.groups++;
      thread.waiting.set(id, { count, resolve });
      thread.worker.postMessage({ id, kind, bytes } satisfies Task, [bytes.buffer]);
    });
  }

  private startThread(): void {
    const { workerFile, seed, onThreadLost } = this.options;
    const worker = new Worker(workerFile, { workerData: { seed } });
    const thread: Thread = { worker, load: 0, groups: 0, waiting: new Map() };
    worker.on('message', ({ id, bytes }: TaskResult) => {
      const waiting = thread.waiting.get(id);
      if (!waiting) return;
      thread.waiting.delete(id);
      thread.load -= waiting.count;
      thread.groups--;
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
