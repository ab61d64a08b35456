import { ProviderError, type ProviderErrorKind } from '@tollbridge/http';
import { NodePool, type NodePoolOptions, type UnhealthyNode } from './node-pool';

/** A node that returns its name, or fails with the configured failure. */
class TestNode {
  failure: ProviderErrorKind | undefined;
  height = 100;
  asked = 0;

  constructor(readonly name: string) {}

  async answer(): Promise<string> {
    this.asked++;
    if (this.failure) throw new ProviderError(this.name, { kind: this.failure, message: 'a failure' });
    return this.name;
  }

  async head(): Promise<number> {
    await this.answer();
    return this.height;
  }
}

let nowMs: number;
let events: UnhealthyNode[];
let one: TestNode;
let two: TestNode;
let three: TestNode;

beforeEach(() => {
  nowMs = 1_000_000;
  events = [];
  [one, two, three] = [new TestNode('one'), new TestNode('two'), new TestNode('three')];
});

const poolOf = (clients: TestNode[], changes: Partial<NodePoolOptions<TestNode>> = {}) =>
  new NodePool<TestNode>({
    clients,
    head: (client) => client.head(),
    maxLagBlocks: 5,
    onUnhealthy: (event) => events.push(event),
    clock: { now: () => nowMs },
    random: () => 1,
    ...changes,
  });
const answerOf = (pool: NodePool<TestNode>) => pool.ask((client) => client.answer());
const kindOf = async (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: ProviderError) => error.kind,
  );

it('uses the first node as long as it answers', async () => {
  const pool = poolOf([one, two]);
  expect([await answerOf(pool), await answerOf(pool)]).toEqual(['one', 'one']);
});

it.each(['unavailable', 'badReply', 'rateLimited', 'unknownOutcome'] as const)(
  'uses the next node immediately after a failure of kind %s, and skips the failed node during its pause',
  async (kind) => {
    const pool = poolOf([one, two]);
    await answerOf(pool);
    one.failure = kind;
    expect(await answerOf(pool)).toBe('two');
    const askedBefore = one.asked;
    expect(await answerOf(pool)).toBe('two');
    expect(one.asked).toBe(askedBefore);
    expect(events).toMatchObject([{ node: 1, failuresInARow: 1, untilMs: nowMs + 1_000 }]);
    one.failure = undefined;
    nowMs += 1_000;
    expect(await answerOf(pool)).toBe('one');
  },
);

it('doubles the pause of a node that fails again', async () => {
  const pool = poolOf([one, two], { maxLagBlocks: 1_000 });
  one.failure = 'unavailable';
  for (const pauseMs of [1_000, 2_000, 4_000]) {
    await answerOf(pool);
    expect(events.at(-1)!.untilMs).toBe(nowMs + pauseMs);
    nowMs += pauseMs;
  }
});

it('calls no other node after a rejection', async () => {
  const pool = poolOf([one, two]);
  await answerOf(pool);
  one.failure = 'rejected';
  const askedBefore = two.asked;
  expect(await kindOf(answerOf(pool))).toBe('rejected');
  expect([two.asked, events]).toEqual([askedBefore, []]);
});

it('fails with the last error when all nodes fail, then tries the node that recovers first', async () => {
  const pool = poolOf([one, two]);
  [one.failure, two.failure] = ['unavailable', 'badReply'];
  expect(await kindOf(answerOf(pool))).toBe('unavailable');
  // The first node was called once more than the second, so its pause is longer.
  const askedBefore = one.asked + two.asked;
  two.failure = undefined;
  expect(await answerOf(pool)).toBe('two');
  expect(one.asked + two.asked).toBe(askedBefore + 1);
});

it('retries a single node after at most a second', async () => {
  const pool = poolOf([one]);
  one.failure = 'unavailable';
  for (let time = 0; time < 5; time++) {
    expect(await kindOf(answerOf(pool))).toBe('unavailable');
    expect(events.at(-1)!.untilMs).toBeLessThanOrEqual(nowMs + 1_000);
    nowMs += 1_000;
  }
});

it('skips a node with a lagging head until it has caught up', async () => {
  const pool = poolOf([one, two, three]);
  one.height = 94;
  expect(await answerOf(pool)).toBe('two');
  expect(events).toMatchObject([{ node: 1, reason: 'lagging', detail: 'lags by 6 blocks' }]);
  one.height = 100;
  nowMs += 10_000;
  expect(await answerOf(pool)).toBe('one');
  expect(pool.health().map(({ state }) => state)).toEqual(['healthy', 'healthy', 'healthy']);
});

it('does not compare the head of a single node', async () => {
  const pool = poolOf([one, two]);
  one.height = 1;
  two.failure = 'unavailable';
  expect(await answerOf(pool)).toBe('one');
});

it('compares heads at most every three seconds', async () => {
  const pool = poolOf([one, two]);
  for (let time = 0; time < 30; time++) {
    await answerOf(pool);
    nowMs += 100;
  }
  expect(two.asked).toBe(1);
});

it('counts concurrent failures as one failure', async () => {
  const pool = poolOf([one, two]);
  await answerOf(pool);
  one.failure = 'unavailable';
  await Promise.all([answerOf(pool), answerOf(pool), answerOf(pool)]);
  expect(events).toHaveLength(1);
});

it('rethrows an error that is not a failure of a node', async () => {
  const pool = poolOf([one, two]);
  await expect(pool.ask(() => Promise.reject(new TypeError('a mistake')))).rejects.toThrow('a mistake');
  expect(events).toEqual([]);
});

it('requires a node', () => {
  expect(() => poolOf([])).toThrow('at least one node');
});
