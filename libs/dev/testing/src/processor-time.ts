/**
 * Milliseconds of processor time of `run` in this process. Unlike elapsed time, it excludes the time of other
 * processes.
 */
export function processorMsOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
