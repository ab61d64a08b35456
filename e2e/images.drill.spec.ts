import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { repository } from './harness';

const run = promisify(execFile);
const timeoutMs = 180_000;

interface Figures {
  isSealed: boolean;
  apps: string[];
  seconds: Record<string, number>;
}

describe('production images', () => {
  it(
    'start every app from their content, each with its own secrets only, and become ready',
    async () => {
      // A run as root uses a read-only root file system and uid 1000 without rights. Otherwise the command reports the
      // omitted parts.
      const { stdout, stderr } = await run(process.execPath, ['tools/drills/images.mjs', '--production'], {
        cwd: repository,
        env: { ...process.env, NODE_OPTIONS: '', TOLLBRIDGE_TEST_FSYNC: 'off' },
      });
      const { isSealed, apps, seconds } = JSON.parse(stdout) as Figures;
      expect(apps).toEqual([
        'gateway',
        'stream',
        'pay-orders',
        'tx-engine',
        'merchant',
        'service-api',
        'nanopay',
        'tee',
      ]);
      expect(Object.keys(seconds)).toEqual(['content', 'servers', 'migrations', 'apps ready']);
      expect(stderr.includes('apps run in the file system of this machine')).toBe(!isSealed);
    },
    timeoutMs,
  );
});
