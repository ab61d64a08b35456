import { container, podOf, settingsOf } from './changing.mjs';

/** @type {import('../mutations.mjs').Mutation[]} */
export const ofPods = [
  {
    name: 'a readiness probe is removed',
    change: (find) => delete container(find('Deployment', 'gateway')).readinessProbe,
    problem: /Deployment\/gateway: readinessProbe is missing/,
  },
  {
    name: 'a probe asks another port',
    change: (find) => (container(find('Deployment', 'gateway')).livenessProbe.httpGet.port = 'http'),
    problem: /livenessProbe must use the port management/,
  },
  {
    name: 'liveness asks for readiness, which fails with a store',
    change: (find) => (container(find('Deployment', 'gateway')).livenessProbe.httpGet.path = '/health/ready'),
    problem: /livenessProbe must use the port management.*\/health\/live/,
  },
  {
    name: 'a field has a typo',
    change: (find) => (container(find('Deployment', 'merchant')).livenesProbe = {}),
    problem: /Deployment\/merchant: unknown field .*livenesProbe/,
  },
  {
    name: 'a field of a custom resource has a typo',
    change: (find) => (find('ScaledObject', 'merchant').spec.triggers[0].metaData = {}),
    problem: /ScaledObject\/merchant: unknown field .*metaData/,
  },
  {
    name: 'a value has the wrong type',
    change: (find) => (find('Deployment', 'tx-engine').spec.replicas = 'two'),
    problem: /replicas must be integer/,
  },
  {
    name: 'a pod runs as root',
    change: (find) => (podOf(find('StatefulSet', 'tee')).securityContext.runAsUser = 0),
    problem: /StatefulSet\/tee: runAsUser and runAsGroup must not be root/,
  },
  {
    name: 'a container may be root',
    change: (find) => (podOf(find('Deployment', 'nanopay')).securityContext.runAsNonRoot = false),
    problem: /Deployment\/nanopay: runAsNonRoot must be true/,
  },
  {
    name: 'the root file system is writable',
    change: (find) => delete container(find('Deployment', 'gateway')).securityContext.readOnlyRootFilesystem,
    problem: /readOnlyRootFilesystem must be true/,
  },
  {
    name: 'a process may gain privileges',
    change: (find) =>
      (container(find('Deployment', 'stream')).securityContext.allowPrivilegeEscalation = true),
    problem: /allowPrivilegeEscalation must be false/,
  },
  {
    name: 'a capability is added',
    change: (find) =>
      (container(find('Deployment', 'stream')).securityContext.capabilities.add = ['NET_ADMIN']),
    problem: /no capability may be added/,
  },
  {
    name: 'the seccomp profile is removed',
    change: (find) => delete podOf(find('Deployment', 'pay-orders')).securityContext.seccompProfile,
    problem: /seccomp profile must be RuntimeDefault/,
  },
  {
    name: 'a folder of the host is mounted',
    change: (find) =>
      podOf(find('Deployment', 'gateway')).volumes.push({ name: 'host', hostPath: { path: '/' } }),
    problem: /volume host is a hostPath/,
  },
  {
    name: 'the network of the host is used',
    change: (find) => (podOf(find('Deployment', 'gateway')).hostNetwork = true),
    problem: /namespaces of the host are not allowed/,
  },
  {
    name: 'the token of the ServiceAccount is mounted',
    change: (find) => (podOf(find('Deployment', 'merchant')).automountServiceAccountToken = true),
    problem: /Deployment\/merchant: automountServiceAccountToken must be false/,
  },
  {
    name: 'service links are on',
    change: (find) => delete podOf(find('Deployment', 'stream')).enableServiceLinks,
    problem: /enableServiceLinks must be false/,
  },
  {
    name: 'resources are missing',
    change: (find) => delete container(find('Deployment', 'service-api')).resources,
    problem: /needs requests of cpu and memory/,
  },
  {
    name: 'the grace period is shorter than the drain',
    change: (find) => (podOf(find('Deployment', 'service-api')).terminationGracePeriodSeconds = 30),
    problem: /the grace period must be 90 s or more/,
  },
  {
    name: 'a longer drain leaves the grace period behind',
    change: (_, documents) => (settingsOf(documents, 'gateway').STOP_TIMEOUT_MS = '120000'),
    problem: /Deployment\/gateway: the grace period must be 135 s or more/,
  },
  {
    name: 'a rolling update stops pods first',
    change: (find) => (find('Deployment', 'gateway').spec.strategy.rollingUpdate.maxUnavailable = 1),
    problem: /maxUnavailable 0/,
  },
  {
    name: 'the namespace allows privileged pods',
    change: (find) =>
      (find('Namespace', 'tollbridge').metadata.labels['pod-security.kubernetes.io/enforce'] = 'baseline'),
    problem: /enforce must be restricted/,
  },
];
