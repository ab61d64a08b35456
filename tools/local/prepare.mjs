import { buildAll } from './build-all.mjs';
import { ensurePackages } from './packages.mjs';
import { Steps } from './steps.mjs';

/**
 * Installs the packages that a command needs, and builds if requested. Progress goes to standard error, because
 * commands print their results to standard output.
 * @param {{ groups?: string[], builds?: boolean }} [needs] groups of packages; all by default
 */
export async function prepare({ groups = ['all'], builds = false } = {}) {
  const steps = new Steps(process.stderr);
  await steps.run('packages', (note) => ensurePackages(note, groups));
  if (builds) await steps.run('build', (note) => buildAll(note));
}
