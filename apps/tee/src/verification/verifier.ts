import { Worker } from 'node:worker_threads';
import { checkLength, checkOne, type verdicts } from './check-one';
import type { Task } from './verify-worker';

export type Verdict = keyof typeof verdicts;

/**
 * Minimum checks per message to a thread. Waking a thread costs as much as several checks, so small groups are not
 * split.
 */
const minGroup = 32;
/** Up to this many checks run in this thread while all others are idle, so a single payment waits for no wake-up. */
const maxInPlace = 4;
const maxGroup = 128;
/** Maximum new keys per group, because their checks take ten times as long. */
const maxNewKeys = 4;
const restartMs = 200;
const verdictOf: readonly Verdict[] = ['wrong', 'right', 'weakKey'];

interface Check {
  bytes: Buffer;
  resolve(verdict: Verdict | undefined): void;
}

interface Thread {
  worker: Worker;
  /** Receives the verdicts of the current group. */
  resolve: ((answer: Uint8Array | undefined) => void) | undefined;
}

export interface VerifierOptions {
  /** The compiled `verify-worker`. */
  workerFile: string;
  threads: number;
  onThreadLost(error: unknown): void;
}

/**
 * A pool of threads that verify signatures. Checks of one turn of the event loop are grouped. A lost thread is
 * replaced, and its checks resolve to undefined. The caller limits the number of waiting checks.
 */
export class Verifier {
  private threads: Thread[] = [];
  private knownKeys: Check[] = [];
  /** Checks with a new key. They are slow, so they have a separate queue. */
  private newKeys: Check[] = [];
  /** Checks in progress. Copies of one payment share a check. */
  private readonly inFlight = new Map<string, Promise<Verdict | undefined>>();
  private isNewKeyNext = false;
  private isScheduled = false;
  private isClosed = false;

  constructor(private readonly options: VerifierOptions) {
    for (let count = 0; count < options.threads; count++) this.startThread();
  }

  /** @returns the verdict; undefined if the check could not run */
  check(
    digest: Buffer,
    publicKey: Buffer,
    signature: Buffer,
    isNewKey: boolean,
  ): Promise<Verdict | undefined> {
    const bytes = Buffer.concat([digest, publicKey, signature], checkLength);
    const name = bytes.toString('latin1');
    const same = this.inFlight.get(name);
    if (same) return same;
    const verdict = new Promise<Verdict | undefined>((resolve) => {
      const finish = (found: Verdict | undefined): void => {
        this.inFlight.delete(name);
        resolve(found);
      };
      (isNewKey ? this.newKeys : this.knownKeys).push({ bytes, resolve: finish });
      this.schedule();
    });
    this.inFlight.set(name, verdict);
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

  /** Sends groups to idle threads. Further checks wait for the next free thread. */
  private dispatch(): void {
    const idle = this.threads.filter(({ resolve }) => !resolve);
    if (idle.length === this.threads.length && this.knownKeys.length <= maxInPlace) this.checkInPlace();
    const share = Math.ceil(this.knownKeys.length / Math.max(idle.length, 1));
    const size = Math.min(maxGroup, Math.max(minGroup, share));
    for (const thread of idle) {
      // Alternates, so that known keys do not delay new keys without end.
      this.isNewKeyNext = this.knownKeys.length === 0 || (!this.isNewKeyNext && this.newKeys.length > 0);
      const group = this.isNewKeyNext ? this.newKeys.splice(0, maxNewKeys) : this.knownKeys.splice(0, size);
      if (group.length === 0) break;
      void this.checkGroup(thread, this.isNewKeyNext ? 'verify-new-keys' : 'verify', group);
    }
    // No thread is left.
    if (this.threads.length === 0) for (const { resolve } of this.takeAll()) resolve(undefined);
  }

  private checkInPlace(): void {
    for (const { bytes, resolve } of this.knownKeys.splice(0)) resolve(verdictOf[checkOne(bytes, false)]);
  }

  private takeAll(): Check[] {
    return [...this.knownKeys.splice(0), ...this.newKeys.splice(0)];
  }

  private async checkGroup(thread: Thread, kind: Task['kind'], group: Check[]): Promise<void> {
    const answer = await send(thread, kind, group);
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
      // The delay avoids a tight loop when the worker file cannot run.
      setTimeout(() => !this.isClosed && this.startThread(), restartMs).unref();
    });
    this.threads.push(thread);
  }
}

function send(thread: Thread, kind: Task['kind'], group: readonly Check[]): Promise<Uint8Array | undefined> {
  // A copy, because the buffer is transferred to the thread.
  const bytes = new Uint8Array(group.length * checkLength);
  group.forEach((check, index) => bytes.set(check.bytes, index * checkLength));
  return new Promise((resolve) => {
    thread.resolve = resolve;
    thread.worker.postMessage({ kind, bytes } satisfies Task, [bytes.buffer]);
  });
}
