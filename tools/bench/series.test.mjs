import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measure, median } from './measure.mjs';
import { comparedSeconds, percentile, seriesOf } from './series.mjs';

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

  it('returns the value at the given share of the sorted values', () => {
    assert.equal(percentile(hundred, 0.5), 51);
    assert.equal(percentile(hundred, 0.99), 100);
  });

  it('returns the last value for a share of 1, and 0 for an empty list', () => {
    assert.equal(percentile(hundred, 1), 100);
    assert.equal(percentile([], 0.99), 0);
  });
});

describe('comparedSeconds', () => {
  it('returns one minute of five, and a fifth of a shorter measurement', () => {
    assert.deepEqual([600, 300, 20].map(comparedSeconds), [60, 60, 4]);
  });
});

describe('seriesOf', () => {
  /** Returns calls at an even rate, each with the same latency. */
  const calls = (from, to, perSecond, latency) =>
    Array.from({ length: (to - from) * perSecond }, (_, at) => [latency, from + at / perSecond]);
  const split = (pairs) => [pairs.map(([latency]) => latency), pairs.map(([, end]) => end)];

  it('shows a falling rate in its first and last windows', () => {
    const pairs = [...calls(0, 50, 100, 2), ...calls(50, 100, 10, 20)];
    const { first, last, series } = seriesOf(...split(pairs), 100);
    assert.deepEqual(first, { atSeconds: 0, rate: 100, p50: 2, p99: 2 });
    assert.deepEqual(last, { atSeconds: 80, rate: 10, p50: 20, p99: 20 });
    assert.deepEqual(
      series.map(({ rate }) => rate),
      [100, 100, 100, 100, 100, 10, 10, 10, 10, 10],
    );
  });

  it('divides a shorter last window by its own length', () => {
    const { series } = seriesOf(...split(calls(0, 15, 40, 1)), 15);
    assert.deepEqual(
      series.map(({ atSeconds, rate }) => [atSeconds, rate]),
      [
        [0, 40],
        [10, 40],
      ],
    );
  });

  it('counts calls that ended after the measurement in no window', () => {
    const { series } = seriesOf([1, 1], [9, 10.5], 10);
    assert.deepEqual(
      series.map(({ rate }) => rate),
      [0.1],
    );
  });

  it('includes windows without calls', () => {
    assert.equal(seriesOf([], [], 20).last.rate, 0);
  });
});

describe('median', () => {
  it('returns the middle value, or the mean of both', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
  });
});

describe('measure', () => {
  it('counts failures, keeps the first, and excludes them from latencies', async () => {
    let calls = 0;
    const call = () => (calls++ < 3 ? Promise.reject(new Error(`call ${calls}`)) : undefined);
    const result = await measure(call, 1, 5);
    assert.equal(result.failures, 3);
    assert.equal(result.firstFailure, 'Error: call 1');
    assert.equal(result.rate, 0);
  });
});
