import { listenWithFrames } from './frames-front';

/**
 * Serves `POST /payments` as `listenWithFrames` does, and prints its port. Each line that it reads is answered by the
 * largest resident memory that this process has had, in bytes.
 */
export async function runFloodedGateway(): Promise<void> {
  const { port } = await listenWithFrames({ timeoutMs: 60_000 });
  const print = (number: number) => process.stdout.write(`${number}\n`);
  print(port);
  process.stdin.on('data', () => print(process.resourceUsage().maxRSS * 1024));
}
