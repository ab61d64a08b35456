import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { untilCaughtUp, waitingIn } from './backlog.mjs';

/** A clock that only `sleep` advances. */
function fakeClock() {
  let ms = 0;
  return { nowMs: () => ms, sleep: async (more) => void (ms += more) };
}

describe('waitingIn', () => {
  it('adds the counts of outboxes and consumers', () => {
    assert.equal(waitingIn({ 'outbox pay_orders': 2, 'consumer merchant-orders': 40 }), 42);
    assert.equal(waitingIn({}), 0);
  });
});

describe('untilCaughtUp', () => {
  const draining =
    (...counts) =>
    async () => ({ consumer: counts.length > 1 ? counts.shift() : counts[0] });

  it('returns the backlog at the end of the load and the seconds until it is empty', async () => {
    const found = await untilCaughtUp(draining(30, 20, 10, 0), 60, fakeClock());
    assert.deepEqual(found, { atEnd: { consumer: 30 }, left: { consumer: 0 }, seconds: 0.6 });
  });

  it('returns 0 seconds for an empty backlog', async () => {
    assert.equal((await untilCaughtUp(draining(0), 60, fakeClock())).seconds, 0);
  });

  it('returns the remaining backlog and null seconds when it does not catch up', async () => {
    const found = await untilCaughtUp(draining(30, 25), 2, fakeClock());
    assert.deepEqual(found, { atEnd: { consumer: 30 }, left: { consumer: 25 }, seconds: null });
  });
});
