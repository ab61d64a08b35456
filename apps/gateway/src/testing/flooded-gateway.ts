import { listenWithFrames } from './frames-harness';

/**
 * Serves `POST /payments` like `listenWithFrames`, and prints its port. For each line of input, it prints the peak
 * resident memory of this process in bytes.
 */
export async function runFloodedGateway(): Promise<void> {
  // The clients stay until the test aborts them. No time-out may end them earlier on a slow machine.
  const { port } = await listenWithFrames(
    { timeoutMs: 180_000 },
    { requestTimeoutMs: 180_000, headersTimeoutMs: 120_000 },
  );
  const print = (number: number) => process.stdout.write(`${number}\n`);
  print(port);
  process.stdin.on('data', () => print(process.resourceUsage().maxRSS * 1024));
}
