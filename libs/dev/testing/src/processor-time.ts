/**
 * Milliseconds of processor time that `run` took in this process. Unlike elapsed time, it does not contain what the
 * machine gave to other processes.
 */
export function processorMsOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
