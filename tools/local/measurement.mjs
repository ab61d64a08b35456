import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { holdLockFile } from './directory-lock.mjs';
import { defaultDirectory } from './directory.mjs';
import { prepare } from './prepare.mjs';
import { Steps } from './steps.mjs';

/** Installs and builds, then waits for any other measurement of this checkout, because two would slow each other. */
export async function prepareMeasurement() {
  await prepare({ builds: true });
  mkdirSync(defaultDirectory, { recursive: true });
  await new Steps(process.stderr).run('machine', (note) =>
    holdLockFile(join(defaultDirectory, 'bench.lock'), (holder) =>
      note(`waiting for process ${holder}, which measures`),
    ),
  );
}
