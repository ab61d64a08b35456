import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLoop } from './open-loop.mjs';

test('requests are sent at the requested rate, however late the replies', async () => {
  let most = 0;
  let open = 0;
  const seen = [];
  const result = await openLoop(
    async (index) => {
      seen.push(index);
      most = Math.max(most, ++open);
      await sleep(50);
      open--;
    },
    { ratePerSecond: 200, seconds: 0.5, mostInFlight: 100 },
  );
  assert.deepEqual(
    seen,
    Array.from({ length: 100 }, (_, index) => index),
  );
  assert.equal(result.answered, 100);
  assert.equal(result.unsent, 0);
  // 200 a second that take 50 ms each are about 10 at a time; a closed loop would have had 1 or 100.
  assert.ok(most >= 5 && most <= 60, `${most} at a time`);
  assert.ok(result.p50 >= 45, `p50 ${result.p50}`);
});

test('queueing counts from the scheduled time', async () => {
  const result = await openLoop(() => sleep(20), { ratePerSecond: 500, seconds: 0.4, mostInFlight: 1 });
  // One at a time, 20 ms each: at most 20 of 200 fit, and the others waited half of the time on average.
  assert.ok(result.answered <= 21, `${result.answered} answered`);
  assert.equal(result.answered + result.unsent, 200);
  assert.ok(result.p50 > 100, `p50 ${result.p50}`);
  assert.ok(result.rate < 55, `rate ${result.rate}`);
  // The generator was on time; the replies were late.
  assert.ok(result.lateP99 < 250, `late by ${result.lateP99}`);
});

test('failures are counted, and not as replies', async () => {
  const result = await openLoop(
    async (index) => {
      if (index % 2 === 0) throw new Error(`request ${index} failed`);
    },
    { ratePerSecond: 400, seconds: 0.1, mostInFlight: 10 },
  );
  assert.equal(result.failures, 20);
  assert.equal(result.answered, 20);
  assert.match(result.firstFailure.message, /^request 0 failed$/);
});
