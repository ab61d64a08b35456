import { everywhere } from './everywhere.mjs';
import { secretsOf } from './secret-checks.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./setting-checks.mjs').App} App */

const job = 'provision-streams';
const url = 'PROVISIONER_NATS_URL_FILE';
const ofStreams = /^[A-Z_]+_STREAM_(MAX_MB|REPLICAS)$/;
const ofNats = /^NATS_(CA|CERT|KEY)_FILE$/;

/**
 * Verifies that one Job creates the event streams with the settings of the publishing apps. Also verifies that no app
 * has its credentials.
 * @param {Release} release
 * @param {{ environment: string, apps: readonly App[] }} expected
 * @returns {string[]}
 */
export function provisioningProblems(release, { environment, apps }) {
  const held = release.workloads
    .filter((workload) => ![job, 'setup'].includes(workload.app) && secretsOf(workload).includes(job))
    .map(({ name }) => `${name}: holds ${job}, the credentials of the provisioner`);
  // The Job `setup` of the sandbox provisions the streams.
  if (environment === 'sandbox') return held;
  const workload = release.workloads.find(({ app }) => app === job);
  if (!workload) return [...held, `the Job ${job} is missing: no app can create its event stream`];
  const given = release.environment(workload);
  const names = Object.keys(given);
  const isKnown = (/** @type {string} */ name) =>
    name === url || everywhere.test(name) || ofNats.test(name) || ofStreams.test(name);
  const file = release.fileAt(workload, given[url] ?? '');
  const must = /** @type {[boolean, string][]} */ ([
    [file?.exists === true && file.kind === 'Secret', `${url} must name a file of a mounted Secret`],
    [given.TOLLBRIDGE_ENV === environment, `TOLLBRIDGE_ENV must be ${environment}`],
    ...names
      .filter((name) => ofNats.test(name))
      .map((name) => [
        Boolean(release.fileAt(workload, given[name])?.exists),
        `${name}: nothing mounts ${given[name]}`,
      ]),
    ...names.map((name) => [isKnown(name), `${name} is not a setting of the provisioner`]),
    ...differences(release, given, apps),
  ]);
  return [...held, ...must.filter(([holds]) => !holds).map(([, problem]) => `${workload.name}: ${problem}`)];
}

/**
 * @param {Release} release
 * @param {Record<string, string>} given
 * @param {readonly App[]} apps
 * @returns {[boolean, string][]}
 */
function differences(release, given, apps) {
  return release.apps.flatMap((workload) => {
    const own = release.environment(workload);
    const settings = apps.find(({ name }) => name === workload.app)?.settings ?? {};
    return Object.keys(settings)
      .filter((name) => ofStreams.test(name))
      .map(
        (name) =>
          /** @type {[boolean, string]} */ ([
            given[name] === own[name],
            `${name} must be as in ${workload.app}`,
          ]),
      );
  });
}
