import { containersOf } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */

/** @param {Workload} workload @returns {string[]} */
export function secretsOf(workload) {
  const mounted = (workload.pod.volumes ?? []).flatMap((/** @type {any} */ { secret }) =>
    secret ? [secret.secretName] : [],
  );
  const given = containersOf(workload).flatMap(({ envFrom = [], env = [] }) => [
    ...envFrom.flatMap((/** @type {any} */ { secretRef }) => (secretRef ? [secretRef.name] : [])),
    ...env.flatMap((/** @type {any} */ { valueFrom }) =>
      valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef.name] : [],
    ),
  ]);
  return [...mounted, ...given];
}

/**
 * Verifies that used Secrets exist and that all their keys are used. An app may not get secrets in its environment, or
 * secrets of other apps.
 */
export function secretProblems(/** @type {Release} */ release) {
  return release.workloads.flatMap((workload) => {
    const names = secretsOf(workload);
    const missing = names
      .filter((name) => !release.secretKeys.has(name))
      .map((name) => `there is no Secret ${name}`);
    const problems = workload.isApp ? appSecretProblems(workload, names) : [];
    return [...missing, ...problems, ...unusedKeys(release, workload)].map(
      (problem) => `${workload.name}: ${problem}`,
    );
  });
}

// Every app may read these Secrets.
const sharedSecrets = ['identities', 'chains'];

/** @param {Workload} workload @param {string[]} names */
function appSecretProblems(workload, names) {
  const ofOthers = names.filter((name) => name !== workload.app && !sharedSecrets.includes(name));
  const fromEnvironment = containersOf(workload).some(({ envFrom = [], env = [] }) =>
    [...envFrom, ...env].some((/** @type {any} */ item) => item.secretRef || item.valueFrom?.secretKeyRef),
  );
  return [
    ...ofOthers.map((name) => `holds the Secret ${name} of another workload`),
    ...(fromEnvironment ? ['takes a secret from its environment: mount it as a file'] : []),
  ];
}

/** @param {Release} release @param {Workload} workload */
function unusedKeys(release, workload) {
  const component = workload.labels['app.kubernetes.io/component'] ?? '';
  if (!workload.isApp && !['migration', 'provisioning'].includes(component)) return [];
  const own = [...(release.secretKeys.get(workload.app) ?? [])];
  const files = Object.values(release.environment(workload)).map((value) => release.fileAt(workload, value));
  return own
    .filter((key) => !files.some((file) => file?.source === workload.app && file.key === key))
    .map((key) => `no setting uses ${key} of the Secret ${workload.app}`);
}
