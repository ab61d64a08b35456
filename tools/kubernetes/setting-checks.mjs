import { migrationProblems } from './migration-checks.mjs';
import { everywhere } from './everywhere.mjs';
import { provisioningProblems } from './provisioning-checks.mjs';
import { secretProblems } from './secret-checks.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */
/** @typedef {{ name: string, settings: Record<string, any>, migrationVariable?: string }} App */

/**
 * Verifies that each variable is a declared setting with a valid value, and that required settings are set. Each file
 * must be mounted, and no secret may be in a ConfigMap.
 * @param {Release} release
 * @param {{ environment: string, apps: readonly App[] }} expected
 * @returns {string[]}
 */
export function settingProblems(release, { environment, apps }) {
  const ofApps = release.apps.flatMap((workload) => {
    const app = apps.find(({ name }) => name === workload.app);
    if (!app) return [`${workload.name}: there is no app ${workload.app}`];
    return appProblems(release, workload, app, environment).map((problem) => `${workload.name}: ${problem}`);
  });
  const missing = apps
    .filter(({ name }) => (environment === 'sandbox' || name !== 'sandbox') && name !== 'all-in-one')
    .filter(({ name }) => !release.apps.some(({ app }) => app === name))
    .map(({ name }) => `the app ${name} is missing`);
  return [
    ...missing,
    ...ofApps,
    ...migrationProblems(release, { environment, apps }),
    ...provisioningProblems(release, { environment, apps }),
    ...secretProblems(release),
  ];
}

/** @param {Release} release @param {Workload} workload @param {App} app @param {string} environment */
function appProblems(release, workload, { settings }, environment) {
  const given = release.environment(workload);
  const names = Object.keys(given);
  const isGiven = (/** @type {string} */ name) =>
    names.includes(name) || isFileOfSecret(settings, `${name}_FILE`, names);
  const missing = Object.entries(settings)
    .filter(
      ([name, { default: value, sandboxDefault }]) =>
        !isGiven(name) && value === undefined && (environment !== 'sandbox' || sandboxDefault === undefined),
    )
    .map(([name]) => `${name} is missing`);
  const exposed = Object.entries(settings).filter(
    ([name, { isExposing }]) => names.includes(name) && isExposing?.(given[name]),
  );
  const must = [
    [given.TOLLBRIDGE_ENV === environment, `TOLLBRIDGE_ENV must be ${environment}`],
    [
      environment !== 'sandbox' || exposed.length === 0 || given.SANDBOX_EXPOSED === 'on',
      'SANDBOX_EXPOSED must be on',
    ],
    [given.MANAGEMENT_HOST === '0.0.0.0', 'MANAGEMENT_HOST must be 0.0.0.0, or no probe reaches the app'],
  ];
  return [
    ...must.filter(([holds]) => !holds).map(([, problem]) => String(problem)),
    ...missing,
    ...names.flatMap((name) => variableProblems(release, workload, settings, name, given[name])),
    ...portProblems(workload, settings, given),
  ];
}

/** @param {Record<string, any>} settings @param {string} name @param {string[]} names */
const isFileOfSecret = (settings, name, names = [name]) =>
  names.includes(name) &&
  name.endsWith('_FILE') &&
  !(name in settings) &&
  settings[name.slice(0, -5)]?.isSecret === true;

/**
 * @param {Release} release
 * @param {Workload} workload
 * @param {Record<string, any>} settings
 * @param {string} name
 * @param {string} value
 */
function variableProblems(release, workload, settings, name, value) {
  if (isFileOfSecret(settings, name)) {
    const file = release.fileAt(workload, value);
    if (!file?.exists || file.kind !== 'Secret') return [`${name}: no mounted Secret has the file ${value}`];
    return [];
  }
  const setting = settings[name];
  if (!setting) return everywhere.test(name) ? [] : [`${name} is not a setting of ${workload.app}`];
  if (setting.isSecret) return [`${name} is a secret: give it as a file (${name}_FILE)`];
  // Some settings would read their file, which does not exist on this machine.
  if (name.endsWith('_FILE'))
    return release.fileAt(workload, value)?.exists ? [] : [`${name}: nothing mounts ${value}`];
  try {
    setting.read(value);
    return [];
  } catch (error) {
    return [`${name} ${/** @type {Error} */ (error).message}`];
  }
}

/** @param {Workload} workload @param {Record<string, any>} settings @param {Record<string, string>} given */
function portProblems({ pod }, settings, given) {
  const ports = pod.containers[0].ports ?? [];
  const listening = Object.keys(given).filter(
    (name) => name in settings && /(^|_)PORT(_NUMBER)?$/.test(name),
  );
  const numbers = listening.map((name) => Number(given[name]));
  const management = ports.find((/** @type {any} */ { name }) => name === 'management')?.containerPort;
  const ofManagement = listening.find((name) => name.includes('_MANAGEMENT_PORT'));
  return [
    ...ports
      .filter((/** @type {any} */ { containerPort }) => !numbers.includes(containerPort))
      .map(
        (/** @type {any} */ { name, containerPort }) =>
          `no setting listens on the port ${name} (${containerPort})`,
      ),
    ...(ofManagement && Number(given[ofManagement]) === management
      ? []
      : ['the port management must be that of the setting']),
  ];
}
