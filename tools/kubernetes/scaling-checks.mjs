import { configuredRoleLimits, connectionBudget, connectionsOf } from '../checks/connection-budget.mjs';
import { nameOf, selects } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */

/**
 * Checks disruption budgets, autoscalers and the PostgreSQL connections with the largest number of pods.
 * @param {Release} release
 * @param {{ environment: string, apps: readonly { name: string, settings: Record<string, any> }[], maxConnections: number, consumers: Readonly<Record<string, readonly string[]>> }} expected
 * @returns {string[]}
 */
export function scalingProblems(release, expected) {
  return [
    ...release.apps
      .filter(({ app }) => app !== 'sandbox')
      .flatMap((workload) => disruptionProblems(workload, release, expected.environment)),
    ...release
      .of('PodDisruptionBudget')
      .flatMap((budget) =>
        release.workloads.filter(({ labels }) => selects(budget.spec.selector, labels)).length === 1
          ? []
          : [`${nameOf(budget)}: must select the pods of one workload`],
      ),
    ...scalersOf(release).flatMap((scaler) => scalerProblems(scaler, release)),
    ...(expected.environment === 'sandbox' ? [] : consumerProblems(release, expected.consumers)),
    ...connectionProblems(release, expected),
  ];
}

/** @param {Release} release */
function scalersOf({ of }) {
  return [
    ...of('HorizontalPodAutoscaler').map((document) => ({
      document,
      target: `${document.spec.scaleTargetRef.kind}/${document.spec.scaleTargetRef.name}`,
      min: document.spec.minReplicas ?? 1,
      max: document.spec.maxReplicas,
    })),
    ...of('ScaledObject').map((document) => ({
      document,
      target: `${document.spec.scaleTargetRef.kind ?? 'Deployment'}/${document.spec.scaleTargetRef.name}`,
      min: document.spec.minReplicaCount ?? 0,
      max: document.spec.maxReplicaCount ?? 100,
    })),
  ];
}

/** @param {Workload} workload @param {Release} release */
function replicasOf(workload, release) {
  const scaler = scalersOf(release).find(({ target }) => target === workload.name);
  const fixed = workload.document.spec.replicas ?? 1;
  return scaler ? { min: scaler.min, max: scaler.max } : { min: fixed, max: fixed };
}

/** @param {Workload} workload @param {Release} release @param {string} environment */
function disruptionProblems(workload, release, environment) {
  const { min } = replicasOf(workload, release);
  const budget = release
    .of('PodDisruptionBudget')
    .find(({ spec }) => selects(spec.selector, workload.labels));
  if (!budget) return [`${workload.name}: has no PodDisruptionBudget`];
  const { maxUnavailable, minAvailable } = budget.spec;
  const evictable = maxUnavailable ?? min - minAvailable;
  const problems = [];
  if (!(evictable >= 1)) problems.push('its PodDisruptionBudget lets no node be drained');
  if (environment === 'production' && min < 2) problems.push('needs 2 replicas or more');
  if (environment === 'production' && !(evictable < min))
    problems.push('its PodDisruptionBudget lets all pods be evicted at once');
  return problems.map((problem) => `${workload.name}: ${problem}`);
}

/** @param {ReturnType<typeof scalersOf>[number]} scaler @param {Release} release */
function scalerProblems({ document, target, min, max }, { workloads }) {
  const workload = workloads.find(({ name }) => name === target);
  if (!workload) return [`${nameOf(document)}: there is no ${target}`];
  return [
    ...(min <= max ? [] : [`${nameOf(document)}: the minimum is above the maximum`]),
    ...(workload.document.spec.replicas === undefined
      ? []
      : [`${target}: replicas must be left to ${nameOf(document)}`]),
  ];
}

/**
 * Verifies that each durable consumer has a trigger, and that each trigger refers to an existing consumer.
 * @param {Release} release
 * @param {Readonly<Record<string, readonly string[]>>} consumers
 */
function consumerProblems({ of }, consumers) {
  const wanted = Object.entries(consumers).flatMap(([app, names]) =>
    names.map((name) => `${app.toUpperCase().replaceAll('-', '_')} ${name}`),
  );
  const given = of('ScaledObject').flatMap(({ spec }) =>
    spec.triggers
      .filter((/** @type {any} */ { type }) => type === 'nats-jetstream')
      .map((/** @type {any} */ { metadata }) => `${metadata.stream} ${metadata.consumer}`),
  );
  return [
    ...wanted
      .filter((consumer) => !given.includes(consumer))
      .map((consumer) => `no ScaledObject follows the consumer ${consumer}`),
    ...given
      .filter((consumer) => !wanted.includes(consumer))
      .map((consumer) => `there is no consumer ${consumer}`),
  ];
}

/**
 * Counts the PostgreSQL connections with the largest number of pods, including the additional pods of a rolling update.
 * @param {Release} release
 * @param {{ apps: readonly { name: string, settings: Record<string, any> }[], maxConnections: number }} expected
 */
export function budgetOf(release, { apps, maxConnections }) {
  const pools = poolsOf(release, apps);
  const migrationJobs = release.workloads.filter(
    ({ document, app }) => document.kind === 'Job' && app !== 'provision-streams',
  ).length;
  return connectionBudget({ apps: pools, migrationJobs, maxConnections });
}

/** @param {Release} release @param {readonly { name: string, settings: Record<string, any> }[]} apps */
function poolsOf(release, apps) {
  return release.apps.flatMap((workload) => {
    const settings = apps.find(({ name }) => name === workload.app)?.settings ?? {};
    const variable = Object.keys(settings).find((name) => name.endsWith('_DATABASE_CONNECTIONS'));
    if (!variable) return [];
    return {
      app: workload.name,
      replicas: replicasOf(workload, release).max,
      surge: Number(workload.document.spec.strategy?.rollingUpdate?.maxSurge ?? 0),
      connections: Number(release.environment(workload)[variable] ?? settings[variable].default),
    };
  });
}

/** @param {Release} release @param {Parameters<typeof budgetOf>[1]} expected */
function connectionProblems(release, expected) {
  const { problems, lines } = budgetOf(release, expected);
  return [
    ...problems.map((problem) => `PostgreSQL: ${problem} (${lines.join(', ')})`),
    ...poolsOf(release, expected.apps).flatMap(roleProblems),
  ];
}

/** @param {import('../checks/connection-budget.mjs').PooledApp} pool */
function roleProblems(pool) {
  const schema = pool.app.replace(/^.*\//, '').replaceAll('-', '_');
  const [needed, limit] = [connectionsOf(pool), configuredRoleLimits()[schema] ?? 0];
  if (needed <= limit) return [];
  const variable = `POSTGRES_${schema.toUpperCase()}_CONNECTIONS`;
  return [
    `PostgreSQL: ${pool.app} may open ${needed} connections, and roles.sql gives its role ${limit}: ` +
      `run roles.sql and this check with ${variable}=${needed}`,
  ];
}
