import type { ServicesHarness } from './services-harness';

/** Stops Arbitrum's node: it accepts requests, but does not respond. */
export async function whileNodeHangs(it: ServicesHarness, work: () => Promise<void>): Promise<void> {
  const pid = it.harness.state.pids['anvil-42161']!;
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
