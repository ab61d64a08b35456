import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, seriesOf } from './series.mjs';

/**
 * Keeps `inFlight` calls in progress for some seconds. Returns requests per second and latencies in milliseconds, in
 * total and by window. Ends earlier when `call` returns undefined, which means that no request is left.
 */
export async function measure(call, inFlight, seconds) {
  const latencies = [];
  const ends = [];
  let failures = 0;
  let firstFailure;
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1000;
  const worker = async () => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const called = call();
      if (!called) return;
      await called.then(
        () => {
          const nowMs = performance.now();
          latencies.push(nowMs - sentMs);
          ends.push((nowMs - startedMs) / 1000);
        },
        (error) => {
          failures++;
          firstFailure ??= String(error);
        },
      );
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const elapsed = (performance.now() - startedMs) / 1000;
  return {
    ...summary(latencies, elapsed, failures),
    ...seriesOf(latencies, ends, Math.min(seconds, elapsed)),
    firstFailure,
  };
}

/** Measures one call at a time. A call begins `everyMs` after the previous call, or when that call has ended. */
export async function measurePaced(call, everyMs, seconds) {
  let dueMs = performance.now();
  const latencies = [];
  const ends = [];
  const startedMs = dueMs;
  while (dueMs < startedMs + seconds * 1000) {
    await sleep(dueMs - performance.now());
    const sentMs = performance.now();
    await call();
    latencies.push(performance.now() - sentMs);
    ends.push((performance.now() - startedMs) / 1000);
    dueMs = Math.max(dueMs + everyMs, performance.now());
  }
  return { ...summary(latencies, seconds, 0), ...seriesOf(latencies, ends, seconds) };
}

export function summary(latencies, seconds, failures) {
  const sorted = Float64Array.from(latencies).sort();
  return {
    rate: sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    failures,
  };
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
