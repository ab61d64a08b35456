// Percentiles, and rates over time, of one measurement.

/** Length of a window of the series, in seconds. */
export const windowSeconds = 10;

/** @param {ArrayLike<number>} sorted ascending @returns 0 for an empty list */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Returns the seconds at each end that are compared: a minute, or a fifth of a shorter measurement. */
export const comparedSeconds = (seconds) => Math.min(60, seconds / 5);

/**
 * @param {number[]} latencies of each call, in milliseconds
 * @param {number[]} ends end times of the calls, in seconds after the start, in the same order
 * @param {number} seconds length of the measurement; calls that ended later are in no window
 * @returns `first` and `last`, the two compared ends, and `series`, one entry per window
 */
export function seriesOf(latencies, ends, seconds) {
  const window = (from, to) => {
    const chosen = latencies.filter((_, at) => ends[at] >= from && ends[at] < to);
    const sorted = Float64Array.from(chosen).sort();
    return {
      atSeconds: from,
      rate: sorted.length / (to - from),
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
    };
  };
  const compared = comparedSeconds(seconds);
  const series = [];
  for (let from = 0; from < seconds; from += windowSeconds)
    series.push(window(from, Math.min(seconds, from + windowSeconds)));
  return { first: window(0, compared), last: window(seconds - compared, seconds), series };
}
