// Reads rendered documents for the checks.

/**
 * @typedef {object} Workload
 * @property {string} name `Deployment/gateway`
 * @property {string} app the value of app.kubernetes.io/name
 * @property {any} document
 * @property {any} pod the spec of its pods
 * @property {Record<string, string>} labels of its pods
 * @property {boolean} isApp true for the apps of this repository, false for jobs and servers
 */

/**
 * @typedef {object} Release
 * @property {any[]} documents
 * @property {(kind: string) => any[]} of
 * @property {Workload[]} workloads
 * @property {Workload[]} apps
 * @property {Map<string, Set<string>>} secretKeys by the name of the Secret
 * @property {(workload: Workload, container?: any) => Record<string, string>} environment
 * @property {(workload: Workload, path: string, container?: any) => MountedFile | undefined} fileAt
 */

/** @typedef {{ kind: string, source: string, key: string, exists: boolean }} MountedFile */

const withPods = ['Deployment', 'StatefulSet', 'Job'];
// Files that the Job `setup` of the sandbox writes to its volume.
const filesOfSetup = ['sandbox.json', 'chains.json', 'identities.json', 'ready'];

/** @param {any} document */
export const nameOf = ({ kind, metadata }) => `${kind}/${metadata?.name}`;

/** @param {any[]} documents @returns {Release} */
export function readRelease(documents) {
  const of = (/** @type {string} */ kind) => documents.filter((document) => document.kind === kind);
  const workloads = documents.filter(({ kind }) => withPods.includes(kind)).map(toWorkload);
  const secretKeys = keysOfSecrets(of);
  return {
    documents,
    of,
    workloads,
    apps: workloads.filter(({ isApp }) => isApp),
    secretKeys,
    environment: (workload, container = workload.pod.containers[0]) => environmentOf(of, container),
    fileAt: (workload, path, container = workload.pod.containers[0]) =>
      fileAt({ of, secretKeys, workload, container }, path),
  };
}

/** @param {any} document @returns {Workload} */
function toWorkload(document) {
  const { metadata: { labels = {} } = {}, spec: pod } = document.spec.template;
  return {
    name: nameOf(document),
    app: labels['app.kubernetes.io/name'] ?? '',
    document,
    pod,
    labels,
    isApp: labels['app.kubernetes.io/component'] === 'app',
  };
}

/** @param {Workload} workload @returns {any[]} */
export const containersOf = ({ pod }) => [...(pod.initContainers ?? []), ...pod.containers];

/** @param {any} selector of labels @param {Record<string, string>} labels @returns {boolean} */
export function selects(selector, labels) {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((/** @type {any} */ { key, operator, values = [] }) => {
      if (operator === 'In') return values.includes(labels[key]);
      if (operator === 'NotIn') return !values.includes(labels[key]);
      return operator === 'Exists' ? key in labels : !(key in labels);
    })
  );
}

/** @param {Release['of']} of */
function keysOfSecrets(of) {
  const external = of('ExternalSecret').map(({ metadata, spec }) => [
    spec.target?.name ?? metadata.name,
    (spec.data ?? []).map((/** @type {any} */ { secretKey }) => secretKey),
  ]);
  const plain = of('Secret').map(({ metadata, data = {}, stringData = {} }) => [
    metadata.name,
    [...Object.keys(data), ...Object.keys(stringData)],
  ]);
  return new Map([...external, ...plain].map(([name, keys]) => [name, new Set(keys)]));
}

/** @param {Release['of']} of @param {any} container @returns {Record<string, string>} */
function environmentOf(of, { envFrom = [], env = [] }) {
  const maps = envFrom.flatMap((/** @type {any} */ { configMapRef }) =>
    of('ConfigMap').filter(({ metadata }) => metadata.name === configMapRef?.name),
  );
  const own = env.filter((/** @type {any} */ { value }) => value !== undefined);
  return Object.assign(
    {},
    ...maps.map(({ data }) => data),
    Object.fromEntries(own.map((/** @type {any} */ { name, value }) => [name, value])),
  );
}

/**
 * @param {{ of: Release['of'], secretKeys: Release['secretKeys'], workload: Workload, container: any }} pod
 * @param {string} path
 * @returns {MountedFile | undefined} undefined if nothing is mounted
 */
function fileAt({ of, secretKeys, workload, container }, path) {
  const mount = (container.volumeMounts ?? []).find((/** @type {any} */ { mountPath }) =>
    path.startsWith(`${mountPath}/`),
  );
  const volume = (workload.pod.volumes ?? []).find((/** @type {any} */ { name }) => name === mount?.name);
  if (!volume) return undefined;
  const key = path.slice(mount.mountPath.length + 1);
  const { secret, configMap, persistentVolumeClaim: claim } = volume;
  if (secret) {
    const exists = secretKeys.get(secret.secretName)?.has(key) ?? false;
    return { kind: 'Secret', source: secret.secretName, key, exists };
  }
  if (configMap) {
    const data = of('ConfigMap').find(({ metadata }) => metadata.name === configMap.name)?.data ?? {};
    return { kind: 'ConfigMap', source: configMap.name, key, exists: key in data };
  }
  return { kind: 'volume', source: claim?.claimName ?? volume.name, key, exists: filesOfSetup.includes(key) };
}
