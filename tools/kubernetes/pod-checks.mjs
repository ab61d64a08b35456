import { containersOf } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */

// Volumes that Pod Security `restricted` allows. All others give access to the node.
const allowedVolumes = ['secret', 'configMap', 'emptyDir', 'persistentVolumeClaim'];
const marginMs = 10_000;
const probes = {
  startupProbe: '/health/live',
  readinessProbe: '/health/ready',
  livenessProbe: '/health/live',
};

/** @param {Release} release @returns {string[]} */
export function podProblems(release) {
  return [
    ...release.workloads.flatMap((workload) =>
      [
        ...podSpecProblems(workload),
        ...containersOf(workload).flatMap((container) => containerProblems(container, workload)),
      ].map((problem) => `${workload.name}: ${problem}`),
    ),
    ...release.apps.flatMap((workload) =>
      appProblems(workload, release).map((problem) => `${workload.name}: ${problem}`),
    ),
    ...release
      .of('ServiceAccount')
      .flatMap(({ metadata, automountServiceAccountToken: mounts }) =>
        mounts === false
          ? []
          : [`ServiceAccount/${metadata.name}: automountServiceAccountToken must be false`],
      ),
    ...namespaceProblems(release),
  ];
}

/** @param {Release} release */
function namespaceProblems({ of }) {
  return of('Namespace').flatMap(({ metadata: { name, labels = {} } }) =>
    labels['pod-security.kubernetes.io/enforce'] === 'restricted'
      ? []
      : [`Namespace/${name}: pod-security.kubernetes.io/enforce must be restricted`],
  );
}

/** @param {Workload} workload */
function podSpecProblems({ pod }) {
  const { securityContext: security = {}, volumes = [] } = pod;
  const must = [
    [pod.automountServiceAccountToken === false, 'automountServiceAccountToken must be false'],
    [pod.enableServiceLinks === false, 'enableServiceLinks must be false'],
    [security.runAsNonRoot === true, 'runAsNonRoot must be true'],
    [security.runAsUser >= 1 && security.runAsGroup >= 1, 'runAsUser and runAsGroup must not be root'],
    [security.seccompProfile?.type === 'RuntimeDefault', 'the seccomp profile must be RuntimeDefault'],
    [!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, 'namespaces of the host are not allowed'],
    [pod.serviceAccountName && pod.serviceAccountName !== 'default', 'needs a ServiceAccount of its own'],
  ];
  const hostVolumes = volumes.flatMap((/** @type {any} */ { name, ...rest }) =>
    Object.keys(rest)
      .filter((kind) => !allowedVolumes.includes(kind))
      .map((kind) => `volume ${name} is a ${kind}`),
  );
  const unbounded = volumes
    .filter((/** @type {any} */ { emptyDir }) => emptyDir && !emptyDir.sizeLimit)
    .map((/** @type {any} */ { name }) => `volume ${name} has no sizeLimit`);
  return [...failed(must), ...hostVolumes, ...unbounded];
}

/** @param {any} container @param {Workload} workload */
function containerProblems(container, { pod, document }) {
  const { name, securityContext: security = {}, resources = {} } = container;
  const must = [
    [security.allowPrivilegeEscalation === false, 'allowPrivilegeEscalation must be false'],
    [security.readOnlyRootFilesystem === true, 'readOnlyRootFilesystem must be true'],
    [security.privileged !== true, 'privileged is not allowed'],
    [security.capabilities?.drop?.includes('ALL'), 'all capabilities must be dropped'],
    [!security.capabilities?.add?.length, 'no capability may be added'],
    [security.runAsUser !== 0 && security.runAsNonRoot !== false, 'runs as root'],
    [resources.requests?.cpu && resources.requests?.memory, 'needs requests of cpu and memory'],
    [resources.limits?.memory, 'needs a limit of memory'],
    [!(container.ports ?? []).some((/** @type {any} */ { hostPort }) => hostPort), 'hostPort is not allowed'],
  ];
  const claims = document.spec.volumeClaimTemplates ?? [];
  const known = [
    ...(pod.volumes ?? []).map((/** @type {any} */ volume) => volume.name),
    ...claims.map((/** @type {any} */ { metadata }) => metadata.name),
  ];
  const lost = (container.volumeMounts ?? [])
    .filter((/** @type {any} */ mount) => !known.includes(mount.name))
    .map((/** @type {any} */ mount) => `mounts ${mount.name}, which is not a volume`);
  return [...failed(must), ...lost].map((problem) => `container ${name}: ${problem}`);
}

/** @param {Workload} workload @param {Release} release */
function appProblems(workload, release) {
  const { pod, document, app } = workload;
  const [container] = pod.containers;
  const ports = (container.ports ?? []).map((/** @type {any} */ { name }) => name);
  const probeProblems = Object.entries(probes).flatMap(([probe, path]) => {
    const request = container[probe]?.httpGet;
    if (!request) return [`${probe} is missing`];
    return ports.includes('management') && request.port === 'management' && request.path === path
      ? []
      : [`${probe} must use the port management, which the container must have, and ${path}`];
  });
  const { STOP_DELAY_MS: delay, STOP_TIMEOUT_MS: timeout } = release.environment(workload);
  const drainMs = Number(delay) + Number(timeout) + marginMs;
  const { strategy, revisionHistoryLimit } = document.spec;
  const isReplaced = document.kind === 'Deployment' && strategy?.type !== 'Recreate';
  const must = [
    [
      pod.terminationGracePeriodSeconds * 1_000 >= drainMs,
      `the grace period must be ${drainMs / 1_000} s or more: STOP_DELAY_MS, STOP_TIMEOUT_MS and 10 s`,
    ],
    [
      !isReplaced || strategy?.rollingUpdate?.maxUnavailable === 0,
      'a rolling update must have maxUnavailable 0',
    ],
    [revisionHistoryLimit <= 10, 'needs a revisionHistoryLimit'],
    [
      app === 'sandbox' || (pod.topologySpreadConstraints ?? []).length > 0,
      'needs topologySpreadConstraints',
    ],
  ];
  return [...probeProblems, ...failed(must)];
}

/** @param {any[][]} rules @returns {string[]} */
export const failed = (rules) => rules.filter(([holds]) => !holds).map(([, problem]) => problem);
