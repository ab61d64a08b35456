import { listenWithFrames } from './frames-harness';

/**
 * Serves `POST /payments` as `listenWithFrames` does, and prints its port. It answers each line of input by the
 * largest resident memory of this process so far, in bytes.
 */
export async function runFloodedGateway(): Promise<void> {
  const { port } = await listenWithFrames({ timeoutMs: 60_000 });
  const print = (number: number) => process.stdout.write(`${number}\n`);
  print(port);
  process.stdin.on('data', () => print(process.resourceUsage().maxRSS * 1024));
}
