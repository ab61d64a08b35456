import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { OpenLoad, openLoop } from './open-loop.mjs';

// The time-out is for a loop that waits for replies before it sends, which would never end.
test('requests are sent at the requested rate, however late the replies', { timeout: 60_000 }, async () => {
  let reply;
  const replying = new Promise((resolve) => (reply = resolve));
  const seen = [];
  const startMs = performance.now();
  let sentMs;
  const result = await openLoop(
    async (index) => {
      seen.push(index);
      // The first reply comes after the last request, so a request must not wait for a reply.
      if (seen.length === 100) {
        sentMs = performance.now() - startMs;
        reply();
      }
      await replying;
    },
    { ratePerSecond: 200, seconds: 0.5, mostInFlight: 100 },
  );
  assert.deepEqual(
    seen,
    Array.from({ length: 100 }, (_, index) => index),
  );
  assert.equal(result.answered, 100);
  assert.equal(result.unsent, 0);
  // The requests are spread: the last is due after 495 ms, and the median latency starts at its own time.
  assert.ok(sentMs >= 490, `sent in ${sentMs} ms`);
  assert.ok(result.p50 >= 240, `p50 ${result.p50}`);
});

test('queueing counts from the scheduled time', async () => {
  const result = await openLoop(() => sleep(20), { ratePerSecond: 500, seconds: 0.4, mostInFlight: 1 });
  // One request at a time with 20 ms each: at most 20 of 200 fit. The others waited for half of the time on average.
  assert.ok(result.answered <= 21, `${result.answered} answered`);
  assert.equal(result.answered + result.unsent, 200);
  assert.ok(result.p50 > 100, `p50 ${result.p50}`);
  assert.ok(result.rate < 55, `rate ${result.rate}`);
});

test('does not count waiting for a reply as lateness of the generator', async (context) => {
  // Uses a test clock, because a stalled machine would make the generator late.
  let nowMs = 0;
  context.mock.method(performance, 'now', () => nowMs);
  const replies = [];
  const send = () => new Promise((resolve) => replies.push(resolve));
  const load = new OpenLoad(send, { ratePerSecond: 500, seconds: 0.4, mostInFlight: 1 });
  let onBeat;
  const ended = load.run({ beat: (_startMs, listener) => (onBeat = listener) });
  for (; nowMs <= load.endMs; nowMs += 2) {
    if (nowMs % 20 === 0) replies.shift()?.();
    await new Promise(setImmediate);
    onBeat();
  }
  replies.shift()?.();
  const result = await ended;
  assert.equal(result.answered, 21);
  assert.ok(result.p99 > 300, `p99 ${result.p99}`);
  assert.equal(result.lateP99, 0);
});

test('failures are counted, and not as replies', async () => {
  const result = await openLoop(
    async (index) => {
      if (index % 2 === 0) throw new Error(`request ${index} failed`);
    },
    // Allows all requests in progress, so that none remains after a stall.
    { ratePerSecond: 400, seconds: 0.1, mostInFlight: 40 },
  );
  assert.equal(result.failures, 20);
  assert.equal(result.answered, 20);
  assert.match(result.firstFailure.message, /^request 0 failed$/);
});
