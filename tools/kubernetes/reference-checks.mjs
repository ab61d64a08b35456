import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { containersOf, nameOf, selects } from './release.mjs';
import { routeProblems } from './route-checks.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */

/**
 * Verifies that references exist: ServiceAccounts, ConfigMaps, claims, pods of Services, ports, targets, settings of
 * Services.
 * @param {Release} release
 * @param {{ apps: readonly { settings: Record<string, unknown> }[] }} expected
 * @returns {string[]}
 */
export function referenceProblems(release, { apps }) {
  const settings = new Set(apps.flatMap((app) => Object.keys(app.settings)));
  return [
    ...duplicates(release),
    ...release.workloads.flatMap((workload) => workloadProblems(workload, release)),
    ...release.workloads.flatMap(programProblems),
    ...release.of('Service').flatMap((service) => serviceProblems(service, release, settings)),
    ...routeProblems(release),
    ...release.of('PodMonitor').flatMap((monitor) => monitorProblems(monitor, release)),
    ...release.documents
      .filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'tollbridge')
      .map((document) => `${nameOf(document)}: is not in the namespace tollbridge`),
  ];
}

/** @param {Release} release */
function duplicates({ documents }) {
  const names = documents.map(nameOf);
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is there twice`);
}

/** @param {Workload} workload @param {Release} release */
function workloadProblems(workload, { of }) {
  const { name, document, pod, labels } = workload;
  const exists = (/** @type {string} */ kind, /** @type {string} */ wanted) =>
    of(kind).some(({ metadata }) => metadata.name === wanted);
  const configMaps = [
    ...containersOf(workload).flatMap(({ envFrom = [] }) =>
      envFrom.flatMap((/** @type {any} */ { configMapRef }) => (configMapRef ? [configMapRef.name] : [])),
    ),
    ...(pod.volumes ?? []).flatMap((/** @type {any} */ { configMap }) => (configMap ? [configMap.name] : [])),
  ];
  const claims = (pod.volumes ?? []).flatMap((/** @type {any} */ { persistentVolumeClaim: claim }) =>
    claim ? [claim.claimName] : [],
  );
  const { selector, serviceName } = document.spec;
  const isSelected = document.kind === 'Job' || selects(selector, labels);
  const spread = (pod.topologySpreadConstraints ?? []).some(
    (/** @type {any} */ { labelSelector }) => !selects(labelSelector, labels),
  );
  return [
    ...(exists('ServiceAccount', pod.serviceAccountName)
      ? []
      : [`there is no ServiceAccount ${pod.serviceAccountName}`]),
    ...configMaps
      .filter((wanted) => !exists('ConfigMap', wanted))
      .map((wanted) => `there is no ConfigMap ${wanted}`),
    ...claims
      .filter((/** @type {string} */ wanted) => !exists('PersistentVolumeClaim', wanted))
      .map((/** @type {string} */ wanted) => `there is no claim ${wanted}`),
    ...(isSelected ? [] : ['the selector does not match its own pods']),
    ...(spread ? ['topologySpreadConstraints select other pods'] : []),
    ...(document.kind !== 'StatefulSet' || exists('Service', serviceName)
      ? []
      : [`there is no Service ${serviceName}`]),
  ].map((problem) => `${name}: ${problem}`);
}

/** Verifies that the program of an app has a source file and uses the image of that app. @param {Workload} workload */
function programProblems({ name, pod }) {
  return pod.containers.flatMap((/** @type {any} */ { command = [], image }) => {
    const [, app, program] = /^apps\/([\w-]+)\/dist\/([\w-]+)\.js$/.exec(command.at(-1)) ?? [];
    if (!app) return [];
    const isThere = existsSync(join(repository, 'apps', app, 'src', `${program}.ts`));
    const isInImage = image.replace(/[:@].*$/, '').endsWith(`/${app}`);
    return [
      ...(isThere ? [] : [`${name}: there is no program ${command.at(-1)}`]),
      ...(isInImage ? [] : [`${name}: the image ${image} is not that of ${app}`]),
    ];
  });
}

/** @param {any} service @param {Release} release @param {Set<string>} settings */
function serviceProblems(service, { workloads }, settings) {
  const { name } = service.metadata;
  const pods = workloads.filter(({ labels }) => selects({ matchLabels: service.spec.selector }, labels));
  const ports = service.spec.ports.flatMap((/** @type {any} */ { targetPort }) =>
    pods.every(({ pod }) =>
      pod.containers.some((/** @type {any} */ container) =>
        (container.ports ?? []).some(
          (/** @type {any} */ port) => port.name === targetPort || port.containerPort === targetPort,
        ),
      ),
    )
      ? []
      : [`no container listens on ${targetPort}`],
  );
  const injected = new RegExp(
    `^${name.toUpperCase().replaceAll('-', '_')}_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT|PORT_\\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)$`,
  );
  return [
    ...(pods.length === 1 ? [] : [`selects the pods of ${pods.length} workloads`]),
    ...ports,
    ...[...settings]
      .filter((setting) => injected.test(setting))
      .map((setting) => `its injected variable collides with the setting ${setting}`),
  ].map((problem) => `Service/${name}: ${problem}`);
}

/** @param {any} monitor @param {Release} release */
function monitorProblems(monitor, { apps, workloads }) {
  const selected = workloads.filter(({ labels }) => selects(monitor.spec.selector, labels));
  const missed = apps.filter((app) => !selected.includes(app)).map(({ name }) => `does not scrape ${name}`);
  const ports = monitor.spec.podMetricsEndpoints.map((/** @type {any} */ { port }) => port);
  const without = selected
    .filter(
      ({ pod }) =>
        !pod.containers.some((/** @type {any} */ container) =>
          (container.ports ?? []).some((/** @type {any} */ { name }) => ports.includes(name)),
        ),
    )
    .map(({ name }) => `${name} has no port ${ports}`);
  return [...missed, ...without].map((problem) => `${nameOf(monitor)}: ${problem}`);
}
