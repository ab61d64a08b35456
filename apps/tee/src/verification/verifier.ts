import { Worker } from 'node:worker_threads';
import { checkLength, checkOne, type verdicts } from './check-one';
import type { Task } from './verify-worker';

export type Verdict = keyof typeof verdicts;

/** What is asked of a thread at once. To wake one costs as much as some checks: fewer are not spread over several. */
const minGroup = 32;
/** So few are checked where they are, unless threads are at work: a lone payment need not wait for one to wake up. */
const maxInPlace = 4;
const maxGroup = 128;
/** Of keys that are new, which take ten times as long. */
const maxNewKeys = 4;
const restartMs = 200;
const verdictOf: readonly Verdict[] = ['wrong', 'right', 'weakKey'];

interface Check {
  bytes: Buffer;
  resolve(verdict: Verdict | undefined): void;
}

interface Thread {
  worker: Worker;
  /** Takes the verdicts of what it looks at now. */
  resolve: ((answer: Uint8Array | undefined) => void) | undefined;
}

export interface VerifierOptions {
  /** The compiled `verify-worker`. */
  workerFile: string;
  threads: number;
  onThreadLost(error: unknown): void;
}

/**
 * Threads that check signatures. What is asked for within one turn of the loop goes to a thread together; a thread
 * that dies is replaced, and what it had is answered by undefined: nobody knows. How much may wait, who asks decides.
 */
export class Verifier {
  private threads: Thread[] = [];
  private known: Check[] = [];
  /** With keys that are looked at for the first time: rare and slow, they do not hold up the others. */
  private fresh: Check[] = [];
  /** What is being looked at: of a thousand copies of a payment one is checked. */
  private readonly underWay = new Map<string, Promise<Verdict | undefined>>();
  private isFreshNext = false;
  private isScheduled = false;
  private isClosed = false;

  constructor(private readonly options: VerifierOptions) {
    for (let count = 0; count < options.threads; count++) this.startThread();
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

  /** To threads that have nothing else to do: what comes meanwhile gathers, and goes to the next that is free. */
  private dispatch(): void {
    const idle = this.threads.filter(({ resolve }) => !resolve);
    if (idle.length === this.threads.length && this.known.length <= maxInPlace) this.checkInPlace();
    const share = Math.ceil(this.known.length / Math.max(idle.length, 1));
    const size = Math.min(maxGroup, Math.max(minGroup, share));
    for (const thread of idle) {
      // In turns, so that new buyers are not kept waiting by the others for ever.
      this.isFreshNext = this.known.length === 0 || (!this.isFreshNext && this.fresh.length > 0);
      const group = this.isFreshNext ? this.fresh.splice(0, maxNewKeys) : this.known.splice(0, size);
      if (group.length === 0) break;
      void this.checkGroup(thread, this.isFreshNext ? 'verify-new-keys' : 'verify', group);
    }
    // Without threads nobody can look.
    if (this.threads.length === 0) for (const { resolve } of this.takeAll()) resolve(undefined);
  }

  private checkInPlace(): void {
    for (const { bytes, resolve } of this.known.splice(0)) resolve(verdictOf[checkOne(bytes, false)]);
  }

  private takeAll(): Check[] {
    return [...this.known.splice(0), ...this.fresh.splice(0)];
  }

  private async checkGroup(thread: Thread, kind: Task['kind'], group: Check[]): Promise<void> {
    const answer = await ask(thread, kind, group);
    group.forEach(({ resolve }, index) => resolve(answer && verdictOf[answer[index]!]));
    this.schedule();
  }

  private startThread(): void {
    const { workerFile, onThreadLost } = this.options;
    const worker = new Worker(workerFile);
    const thread: Thread = { worker, resolve: undefined };
    const finish = (answer: Uint8Array | undefined): void => {
      const { resolve } = thread;
      thread.resolve = undefined;
      resolve?.(answer);
    };
    worker.on('message', finish);
    worker.on('error', (error) => onThreadLost(error));
    worker.on('exit', () => {
      this.threads = this.threads.filter((each) => each !== thread);
      finish(undefined);
      // A file that cannot be run must not be tried in a loop.
      setTimeout(() => !this.isClosed && this.startThread(), restartMs).unref();
    });
    this.threads.push(thread);
  }
}

function ask(thread: Thread, kind: Task['kind'], group: readonly Check[]): Promise<Uint8Array | undefined> {
  // A copy of its own, which the thread takes over.
  const bytes = new Uint8Array(group.length * checkLength);
  group.forEach((check, index) => bytes.set(check.bytes, index * checkLength));
  return new Promise((resolve) => {
    thread.resolve = resolve;
    thread.worker.postMessage({ kind, bytes } satisfies Task, [bytes.buffer]);
  });
}
