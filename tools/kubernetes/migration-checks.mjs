import { everywhere } from './everywhere.mjs';
import { secretsOf } from './secret-checks.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */
/** @typedef {import('./setting-checks.mjs').App} App */

// Settings of migrations, in addition to the URL of the owner role.
const ofMigrations = /^(DATABASE_(CA|CERT|KEY)_FILE|MIGRATION_[A-Z_]+)$/;

/**
 * Verifies that each schema has a Job with its owner role. No app may be able to read the credentials of an owner role.
 * @param {Release} release
 * @param {{ environment: string, apps: readonly App[] }} expected
 * @returns {string[]}
 */
export function migrationProblems(release, { environment, apps }) {
  const held = release.workloads.flatMap((workload) => ownersHeldBy(workload, release));
  // The Job `setup` of the sandbox runs all migrations.
  if (environment === 'sandbox') return held;
  const wanted = apps.filter(({ name, migrationVariable }) => migrationVariable && name !== 'sandbox');
  const jobs = release.workloads.filter((workload) => componentOf(workload) === 'migration');
  return [
    ...held,
    ...wanted
      .filter(({ name }) => !jobs.some(({ app }) => app === `migrate-${name}`))
      .map(({ name }) => `the migration of ${name} is missing`),
    ...jobs.flatMap((job) => {
      const app = wanted.find(({ name }) => job.app === `migrate-${name}`);
      return jobProblems(job, release, { environment, variable: `${app?.migrationVariable}_FILE` });
    }),
  ];
}

/** @param {Workload} workload */
const componentOf = ({ labels }) => labels['app.kubernetes.io/component'];

/** @param {Workload} workload @param {Release} release */
function ownersHeldBy(workload, { secretKeys }) {
  if (['migration', 'setup'].includes(componentOf(workload))) return [];
  const hasOwner = (/** @type {string} */ secret) =>
    [...(secretKeys.get(secret) ?? [])].some((key) => key.includes('MIGRATION_DATABASE_URL'));
  return secretsOf(workload)
    .filter((secret) => secret.startsWith('migrate-') || hasOwner(secret))
    .map((secret) => `${workload.name}: holds ${secret}, the credentials of an owner role`);
}

/** @param {Workload} job @param {Release} release @param {{ environment: string, variable: string }} expected */
function jobProblems(job, release, { environment, variable }) {
  const given = release.environment(job);
  const names = Object.keys(given);
  const isKnown = (/** @type {string} */ name) =>
    name === variable || everywhere.test(name) || ofMigrations.test(name);
  const url = release.fileAt(job, given[variable] ?? '');
  const problems = names
    .filter((name) => !isKnown(name))
    .map((name) => `${name} is not a setting of a migration`);
  if (!url?.exists || url.kind !== 'Secret')
    problems.push(`${variable} must name a file of a mounted Secret`);
  if (given.TOLLBRIDGE_ENV !== environment) problems.push(`TOLLBRIDGE_ENV must be ${environment}`);
  const lost = names.filter((name) => name.endsWith('_FILE') && !release.fileAt(job, given[name])?.exists);
  problems.push(...lost.map((name) => `${name}: nothing mounts ${given[name]}`));
  return problems.map((problem) => `${job.name}: ${problem}`);
}
