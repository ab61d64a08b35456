import { listenWithFrames } from './frames-harness';

/**
 * Serves `POST /payments` as `listenWithFrames` does, and prints its port. It answers each line of input by the
 * largest resident memory of this process so far, in bytes.
 */
export async function runFloodedGateway(): Promise<void> {
  // The clients stay until the test aborts them, however slow the machine is: no time-out may end them before.
  const { port } = await listenWithFrames(
    { timeoutMs: 180_000 },
    { requestTimeoutMs: 180_000, headersTimeoutMs: 120_000 },
  );
  const print = (number: number) => process.stdout.write(`${number}\n`);
  print(port);
  process.stdin.on('data', () => print(process.resourceUsage().maxRSS * 1024));
}
