/**
 * Keeps `inFlight` calls going for some seconds and answers requests/s and latencies in milliseconds. It ends sooner when
 * `call` answers undefined: there is nothing left to send.
 */
export async function measure(call, inFlight, seconds) {
  const latencies = [];
  let failures = 0;
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1000;
  const worker = async () => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const called = call();
      if (!called) return;
      await called.then(
        () => latencies.push(performance.now() - sentMs),
        () => failures++,
      );
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return summary(latencies, (performance.now() - startedMs) / 1000, failures);
}

export function summary(latencies, seconds, failures) {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { rate: sorted.length / seconds, p50: at(0.5), p99: at(0.99), failures };
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
