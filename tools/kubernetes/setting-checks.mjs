import { containersOf } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */
/** @typedef {{ name: string, settings: Record<string, any>, migrationVariable?: string }} App */

// Read by every process, beside the settings of its app.
const everywhere = /^(TOLLBRIDGE_ENV|SANDBOX_EXPOSED|LOG_LEVEL|ALLOW_PLAINTEXT|NODE_OPTIONS|OTEL_[A-Z_]+)$/;
// Of migrations, beside the URL of the owner role.
const ofMigrations = /^(DATABASE_(CA|CERT|KEY)_FILE|MIGRATION_[A-Z_]+|DATABASE_POOLING)$/;

/**
 * Each variable is a declared setting with a valid value, each required setting is given, each file is mounted, and no
 * secret is in a ConfigMap.
 * @param {Release} release
 * @param {{ environment: string, apps: readonly App[] }} expected
 * @returns {string[]}
 */
export function settingProblems(release, { environment, apps }) {
  const ofApps = release.apps.flatMap((workload) => {
    const app = apps.find(({ name }) => name === workload.app);
    if (!app) return [`${workload.name}: there is no app ${workload.app}`];
    return problemsOfApp(release, workload, app, environment).map(
      (problem) => `${workload.name}: ${problem}`,
    );
  });
  const missing = apps
    .filter(({ name }) => (environment === 'sandbox' || name !== 'sandbox') && name !== 'all-in-one')
    .filter(({ name }) => !release.apps.some(({ app }) => app === name))
    .map(({ name }) => `the app ${name} is missing`);
  return [
    ...missing,
    ...ofApps,
    ...migrationProblems(release, { environment, apps }),
    ...secretProblems(release),
  ];
}

/** @param {Release} release @param {Workload} workload @param {App} app @param {string} environment */
function problemsOfApp(release, workload, { settings }, environment) {
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
    ...names.flatMap((name) => problemsOfVariable(release, workload, settings, name, given[name])),
    ...portProblems(workload, settings, given),
  ];
}

/** @param {Record<string, any>} settings @param {string} name @param {string[]} names */
const isFileOfSecret = (settings, name, names = [name]) =>
  names.includes(name) &&
  name.endsWith('_FILE') &&
  !(name in settings) &&
  settings[name.slice(0, -5)]?.isSecret === true;

/** @param {Release} release @param {Workload} workload @param {Record<string, any>} settings @param {string} name @param {string} value */
function problemsOfVariable(release, workload, settings, name, value) {
  if (isFileOfSecret(settings, name)) {
    const file = release.fileAt(workload, value);
    if (!file?.exists || file.kind !== 'Secret') return [`${name}: no mounted Secret has the file ${value}`];
    return [];
  }
  const setting = settings[name];
  if (!setting) return everywhere.test(name) ? [] : [`${name} is no setting of ${workload.app}`];
  if (setting.isSecret) return [`${name} is a secret: give it as a file (${name}_FILE)`];
  if (name.endsWith('_FILE') && !release.fileAt(workload, value)?.exists)
    return [`${name}: nothing mounts ${value}`];
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

/** Each schema has a Job under its owner role, and no app can read the credentials of one. */
function migrationProblems(
  /** @type {Release} */ release,
  /** @type {{ environment: string, apps: readonly App[] }} */ { environment, apps },
) {
  const jobs = release.workloads.filter(
    ({ labels }) => labels['app.kubernetes.io/component'] === 'migration',
  );
  const isOwners = (/** @type {string} */ secret) =>
    secret.startsWith('migrate-') ||
    secret === 'setup' ||
    [...(release.secretKeys.get(secret) ?? [])].some((key) => key.includes('MIGRATION_DATABASE_URL'));
  const held = release.workloads
    .filter(({ labels }) => !['migration', 'setup'].includes(labels['app.kubernetes.io/component']))
    .flatMap((workload) =>
      secretsOf(workload)
        .filter(isOwners)
        .map((secret) => `${workload.name}: holds ${secret}, the credentials of an owner role`),
    );
  if (environment === 'sandbox') return held;
  const wanted = apps.filter(({ name, migrationVariable }) => migrationVariable && name !== 'sandbox');
  return [
    ...held,
    ...wanted
      .filter(({ name }) => !jobs.some(({ app }) => app === `migrate-${name}`))
      .map(({ name }) => `the migration of ${name} is missing`),
    ...jobs.flatMap((job) => {
      const app = wanted.find(({ name }) => job.app === `migrate-${name}`);
      const given = release.environment(job);
      const variable = `${app?.migrationVariable}_FILE`;
      const file = release.fileAt(job, given[variable] ?? '');
      const unknown = Object.keys(given).filter(
        (name) => name !== variable && !everywhere.test(name) && !ofMigrations.test(name),
      );
      return [
        ...(file?.exists && file.kind === 'Secret'
          ? []
          : [`${variable} must name a file of a mounted Secret`]),
        ...(given.TOLLBRIDGE_ENV === environment ? [] : [`TOLLBRIDGE_ENV must be ${environment}`]),
        ...unknown.map((name) => `${name} is no setting of a migration`),
        ...Object.keys(given)
          .filter((name) => name.endsWith('_FILE') && !release.fileAt(job, given[name])?.exists)
          .map((name) => `${name}: nothing mounts ${given[name]}`),
      ].map((problem) => `${job.name}: ${problem}`);
    }),
  ];
}

/** @param {Workload} workload @returns {string[]} */
function secretsOf(workload) {
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

/** Secrets that are used exist, and all their keys are used; an app gets none by its environment, and none of another app. */
function secretProblems(/** @type {Release} */ release) {
  return release.workloads.flatMap((workload) => {
    const names = secretsOf(workload);
    const missing = names
      .filter((name) => !release.secretKeys.has(name))
      .map((name) => `there is no Secret ${name}`);
    const problems = workload.isApp ? problemsOfAppSecrets(workload, names) : [];
    return [...missing, ...problems, ...unusedKeys(release, workload)].map(
      (problem) => `${workload.name}: ${problem}`,
    );
  });
}

// Every app may read these.
const sharedSecrets = ['identities', 'chains'];

/** @param {Workload} workload @param {string[]} names */
function problemsOfAppSecrets(workload, names) {
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
  if (!workload.isApp && workload.labels['app.kubernetes.io/component'] !== 'migration') return [];
  const own = [...(release.secretKeys.get(workload.app) ?? [])];
  const files = Object.values(release.environment(workload)).map((value) => release.fileAt(workload, value));
  return own
    .filter((key) => !files.some((file) => file?.source === workload.app && file.key === key))
    .map((key) => `no setting uses ${key} of the Secret ${workload.app}`);
}
