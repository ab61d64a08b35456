const times = 20_000;
const rounds = 5;

/** Returns microseconds of processor time of one call, the minimum of several rounds. @param {() => unknown} work */
export function processorCost(work) {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    for (let at = 0; at < times; at++) work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / times);
  }
  return Number(least.toFixed(1));
}
