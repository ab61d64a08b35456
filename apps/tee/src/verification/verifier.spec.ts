import { EventEmitter } from 'node:events';
import { signingKey } from '@tollbridge/nanopay-protocol';
import { checkLength, verdicts } from './check-one';
import { Verifier, type Verdict } from './verifier';
import type { Task } from './verify-worker';

/** A fake thread. The test reads its tasks and answers them. */
class FakeThread extends EventEmitter {
  static all: FakeThread[] = [];
  readonly asked: Task[] = [];
  terminate = jest.fn(async () => this.emit('exit', 1));

  constructor() {
    super();
    FakeThread.all.push(this);
  }

  postMessage(task: Task): void {
    this.asked.push(task);
  }

  /** Kind and number of checks of each task. */
  get sizes(): string[] {
    return this.asked.map(({ kind, bytes }) => `${kind} ${bytes.length / checkLength}`);
  }

  answer(verdict: Verdict): void {
    const { bytes } = this.asked.at(-1)!;
    this.emit('message', new Uint8Array(bytes.length / checkLength).fill(verdicts[verdict]));
  }
}

jest.mock('node:worker_threads', () => ({
  get Worker() {
    return FakeThread;
  },
}));

const key = signingKey(Buffer.alloc(32, 5));
const digestOf = (name: number): Buffer => Buffer.alloc(32, name);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const lost: unknown[] = [];

let made: Verifier | undefined;
function verifierWith(threads: number): { verifier: Verifier; threads: FakeThread[] } {
  FakeThread.all = [];
  const options = { workerFile: 'none', onThreadLost: (error: unknown) => void lost.push(error) };
  made = new Verifier({ ...options, threads });
  return { verifier: made, threads: FakeThread.all };
}
afterEach(async () => {
  await made?.close();
  lost.length = 0;
});

let names = 0;
/** Requests checks of different payments with valid signatures. */
const ask = (verifier: Verifier, count: number, isNewKey = false): Promise<Verdict | undefined>[] =>
  Array.from({ length: count }, () => {
    const digest = Buffer.alloc(32);
    digest.writeUInt32BE(++names);
    return verifier.check(digest, key.publicKey, key.sign(digest), isNewKey);
  });

describe('Verifier with idle threads', () => {
  it('verifies a few signatures of known keys in place, each with its own result', async () => {
    const { verifier, threads } = verifierWith(2);
    const [one, other] = [digestOf(1), digestOf(2)];
    const verdicts = [
      verifier.check(one, key.publicKey, key.sign(one), false),
      verifier.check(other, key.publicKey, key.sign(one), false),
      verifier.check(other, key.publicKey, key.sign(other), false),
      verifier.check(one, Buffer.alloc(32), key.sign(one), false),
    ];
    expect(await Promise.all(verdicts)).toEqual(['right', 'wrong', 'right', 'wrong']);
    expect(threads.flatMap(({ asked }) => asked)).toEqual([]);
  });

  it('sends more signatures together to one thread', async () => {
    const { verifier, threads } = verifierWith(2);
    const results = ask(verifier, 5);
    await turn();
    expect(threads.map(({ sizes }) => sizes)).toEqual([['verify 5'], []]);
    threads[0]!.answer('right');
    expect(await Promise.all(results)).toEqual(Array(5).fill('right'));
  });

  it('sends a single new key to a thread, because its check is slow', async () => {
    const { verifier, threads } = verifierWith(1);
    const [results] = ask(verifier, 1, true);
    await turn();
    expect(threads[0]!.sizes).toEqual(['verify-new-keys 1']);
    threads[0]!.answer('weakKey');
    expect(await results).toBe('weakKey');
  });
});

describe('groups of the Verifier', () => {
  it('fills a thread before the next one and spreads groups over all threads under load', async () => {
    const { verifier, threads } = verifierWith(2);
    const results = ask(verifier, 40);
    await turn();
    expect(threads.map(({ sizes }) => sizes)).toEqual([['verify 32'], ['verify 8']]);
    threads.forEach((thread) => thread.answer('right'));
    results.push(...ask(verifier, 200));
    await turn();
    expect(threads.map(({ sizes }) => sizes[1])).toEqual(['verify 100', 'verify 100']);
    threads.forEach((thread) => thread.answer('right'));
    expect(new Set(await Promise.all(results))).toEqual(new Set(['right']));
  });

  it('limits a group, and sends the rest to the first free thread', async () => {
    const { verifier, threads } = verifierWith(2);
    const results = ask(verifier, 300);
    await turn();
    expect(threads.map(({ sizes }) => sizes)).toEqual([['verify 128'], ['verify 128']]);
    threads[1]!.answer('right');
    await turn();
    await turn();
    expect(threads.map(({ sizes }) => sizes.length)).toEqual([1, 2]);
    expect(threads[1]!.sizes[1]).toBe('verify 44');
    threads.forEach((thread) => thread.answer('right'));
    await Promise.all(results);
  });

  it('collects payments while all threads are busy', async () => {
    const { verifier, threads } = verifierWith(1);
    const first = ask(verifier, 10);
    await turn();
    const later = [...ask(verifier, 1), ...ask(verifier, 2)];
    await turn();
    expect(threads[0]!.sizes).toEqual(['verify 10']);
    threads[0]!.answer('right');
    await Promise.all(first);
    // The thread is free again, but this few checks run in place.
    expect(await Promise.all(later)).toEqual(['right', 'right', 'right']);
    expect(threads[0]!.sizes).toEqual(['verify 10']);
  });

  it('forms small groups of new keys, and alternates them with groups of known keys', async () => {
    const { verifier, threads } = verifierWith(1);
    const results = [...ask(verifier, 6, true), ...ask(verifier, 200)];
    for (let round = 0; round < 4; round++) {
      await turn();
      threads[0]!.answer('right');
      await turn();
    }
    expect(threads[0]!.sizes).toEqual(['verify-new-keys 4', 'verify 128', 'verify-new-keys 2', 'verify 72']);
    expect(new Set(await Promise.all(results))).toEqual(new Set(['right']));
  });

  it('verifies a payment once that is presented many times', async () => {
    const { verifier, threads } = verifierWith(1);
    const copy = () => verifier.check(digestOf(1), key.publicKey, key.sign(digestOf(1)), true);
    const results = Array.from({ length: 100 }, copy);
    await turn();
    expect(threads[0]!.sizes).toEqual(['verify-new-keys 1']);
    results.push(copy());
    threads[0]!.answer('right');
    expect(new Set(await Promise.all(results))).toEqual(new Set(['right']));
    // Results are not cached, so a later copy is verified again.
    void copy();
    await turn();
    expect(threads[0]!.sizes).toEqual(['verify-new-keys 1', 'verify-new-keys 1']);
  });

  it('resolves each payment with its own result', async () => {
    const { verifier, threads } = verifierWith(1);
    const results = ask(verifier, 6);
    await turn();
    threads[0]!.emit('message', Uint8Array.of(1, 0, 2, 1, 0, 2));
    expect(await Promise.all(results)).toEqual(['right', 'wrong', 'weakKey', 'right', 'wrong', 'weakKey']);
  });
});

describe('a dead thread of the Verifier', () => {
  it('resolves its payments as unknown, and other threads continue', async () => {
    const { verifier, threads } = verifierWith(2);
    const results = ask(verifier, 256);
    await turn();
    const waiting = ask(verifier, 5);
    await turn();
    const gone = new Error('out of memory');
    threads[0]!.emit('error', gone);
    threads[0]!.emit('exit', 1);
    expect(await Promise.all(results.slice(0, 128))).toEqual(Array(128).fill(undefined));
    expect(lost).toEqual([gone]);
    threads[1]!.answer('right');
    expect(await Promise.all(results.slice(128))).toEqual(Array(128).fill('right'));
    await turn();
    threads[1]!.answer('right');
    expect(await Promise.all(waiting)).toEqual(Array(5).fill('right'));
  });

  it('replaces the thread after a delay', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const { verifier, threads } = verifierWith(1);
      threads[0]!.emit('exit', 1);
      jest.advanceTimersByTime(199);
      expect(threads).toHaveLength(1);
      jest.advanceTimersByTime(1);
      expect(threads).toHaveLength(2);
      const results = ask(verifier, 5);
      await turn();
      threads[1]!.answer('right');
      expect(await Promise.all(results)).toEqual(Array(5).fill('right'));
    } finally {
      jest.useRealTimers();
    }
  });

  it('resolves waiting payments as unknown when the only thread dies', async () => {
    const { verifier, threads } = verifierWith(1);
    const before = ask(verifier, 10);
    await turn();
    const waiting = [...ask(verifier, 20), ...ask(verifier, 2, true)];
    threads[0]!.emit('exit', 1);
    expect(await Promise.all([...before, ...waiting])).toEqual(Array(32).fill(undefined));
    expect(await Promise.all([...ask(verifier, 20), ...ask(verifier, 1, true)])).toEqual(
      Array(21).fill(undefined),
    );
    // A few checks still run in place, without a thread.
    expect(await Promise.all(ask(verifier, 2))).toEqual(['right', 'right']);
  });
});

it('Verifier resolves waiting payments as unknown after close, and starts no thread', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const { verifier, threads } = verifierWith(1);
    const results = ask(verifier, 10);
    await turn();
    results.push(...ask(verifier, 10));
    await verifier.close();
    expect(await Promise.all(results)).toEqual(Array(20).fill(undefined));
    expect(threads[0]!.terminate).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(10_000);
    expect(threads).toHaveLength(1);
  } finally {
    jest.useRealTimers();
  }
});
