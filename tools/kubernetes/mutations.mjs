/**
 * Changes that a careless edit could make, each with what the checks must say about it. They get the documents of the
 * rendered overlay.
 * @typedef {object} Mutation
 * @property {string} name
 * @property {'sandbox' | 'production'} [overlay] production by default
 * @property {(find: Find, documents: any[]) => void} change
 * @property {RegExp} problem
 */

/** @typedef {(kind: string, name: string) => any} Find */

/** @param {any} workload */
const container = (workload) => workload.spec.template.spec.containers[0];
/** @param {any} workload */
const podOf = (workload) => workload.spec.template.spec;

/** @param {any[]} documents @param {string} kind @param {string} name */
function remove(documents, kind, name) {
  const index = documents.findIndex((document) => document.kind === kind && document.metadata.name === name);
  if (index < 0) throw new Error(`there is no ${kind} ${name}`);
  documents.splice(index, 1);
}

/** @param {any[]} documents @param {string} app the ConfigMap of its settings, whose name ends in a hash */
function settingsOf(documents, app) {
  const found = documents.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(`${app}-settings-`),
  );
  return found.data;
}

/** @type {Mutation[]} */
const ofPods = [
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

/** @type {Mutation[]} */
const ofSettings = [
  {
    name: 'a secret is in a ConfigMap',
    change: (_, documents) => (settingsOf(documents, 'merchant').MERCHANT_KEY_PEPPER = 'p'.repeat(40)),
    problem: /MERCHANT_KEY_PEPPER is a secret/,
  },
  {
    name: 'a secret comes from the environment',
    change: (find) =>
      container(find('Deployment', 'gateway')).envFrom.push({ secretRef: { name: 'gateway' } }),
    problem: /takes a secret from its environment/,
  },
  {
    name: 'a variable is no setting',
    change: (_, documents) => (settingsOf(documents, 'gateway').GATEWAY_PUBLIC_ULR = 'https://api.test'),
    problem: /GATEWAY_PUBLIC_ULR is no setting of gateway/,
  },
  {
    name: 'a required setting is missing',
    change: (_, documents) => delete settingsOf(documents, 'gateway').STREAM_URL,
    problem: /Deployment\/gateway: STREAM_URL is missing/,
  },
  {
    name: 'a setting has an impossible value',
    change: (_, documents) => (settingsOf(documents, 'tee').TEE_VERIFY_THREADS = 'many'),
    problem: /TEE_VERIFY_THREADS must be an integer/,
  },
  {
    name: 'the environment is another one',
    change: (_, documents) => (settingsOf(documents, 'tee').TOLLBRIDGE_ENV = 'test'),
    problem: /StatefulSet\/tee: TOLLBRIDGE_ENV must be production/,
  },
  {
    name: 'a key of an ExternalSecret is missing',
    change: (find) => find('ExternalSecret', 'tee').spec.data.pop(),
    problem: /no mounted Secret has the file|nothing mounts/,
  },
  {
    name: 'a file is looked for elsewhere',
    change: (_, documents) => (settingsOf(documents, 'pay-orders').CHAINS_FILE = '/etc/chains.json'),
    problem: /CHAINS_FILE: nothing mounts/,
  },
  {
    name: 'an ExternalSecret gives more than the app uses',
    change: (find) => {
      const { data } = find('ExternalSecret', 'stream').spec;
      data.push({ ...data[0], secretKey: 'STREAM_DATABASE_URL' });
    },
    problem: /no setting uses STREAM_DATABASE_URL/,
  },
  {
    name: 'an app mounts the Secret of another one',
    change: (find) =>
      podOf(find('Deployment', 'gateway')).volumes.push({ name: 'more', secret: { secretName: 'merchant' } }),
    problem: /holds the Secret merchant of another workload/,
  },
  {
    name: 'an app holds the role of the migrations',
    change: (find) =>
      podOf(find('Deployment', 'merchant')).volumes.push({
        name: 'owner',
        secret: { secretName: 'migrate-merchant' },
      }),
    problem: /holds migrate-merchant, the credentials of an owner role/,
  },
  {
    name: 'a migration is missing',
    change: (_, documents) => remove(documents, 'Job', 'migrate-tee'),
    problem: /the migration of tee is missing/,
  },
  {
    name: 'health listens inside of the pod only',
    change: (_, documents) => (settingsOf(documents, 'stream').MANAGEMENT_HOST = '127.0.0.1'),
    problem: /MANAGEMENT_HOST must be 0\.0\.0\.0/,
  },
  {
    name: 'a port is not that of the setting',
    change: (find) => (container(find('Deployment', 'stream')).ports[0].containerPort = 9999),
    problem: /no setting listens on the port .* \(9999\)/,
  },
  {
    name: 'an app is missing',
    change: (_, documents) => remove(documents, 'Deployment', 'nanopay'),
    problem: /the app nanopay is missing/,
  },
];

/** @type {Mutation[]} */
const ofNetworks = [
  {
    name: 'nothing is denied by default',
    change: (_, documents) => remove(documents, 'NetworkPolicy', 'deny-all'),
    problem: /no NetworkPolicy denies everything/,
  },
  {
    name: 'a policy allows everything',
    change: (find) => (find('NetworkPolicy', 'gateway-from-proxies').spec.ingress = [{}]),
    problem: /ingress allows every peer/,
  },
  {
    name: 'a policy is missing',
    change: (_, documents) => remove(documents, 'NetworkPolicy', 'to-postgres'),
    problem: /Deployment\/merchant: no NetworkPolicy lets it reach PostgreSQL/,
  },
  {
    name: 'the gateway reaches PostgreSQL',
    change: (find) =>
      find('NetworkPolicy', 'to-postgres').spec.podSelector.matchExpressions[0].values.push('gateway'),
    problem: /Deployment\/gateway: may reach PostgreSQL/,
  },
  {
    name: 'the ledger reaches the internet',
    change: (find) =>
      find('NetworkPolicy', 'to-internet').spec.podSelector.matchExpressions[0].values.push('tee'),
    problem: /StatefulSet\/tee: may reach the internet/,
  },
  {
    name: 'webhooks reach the metadata service of the cloud',
    change: (find) => {
      const [to] = find('NetworkPolicy', 'to-internet').spec.egress[0].to;
      to.ipBlock.except = to.ipBlock.except.filter((/** @type {string} */ cidr) => cidr !== '169.254.0.0/16');
    },
    problem: /includes the private range 169\.254\.0\.0\/16/,
  },
  {
    name: 'webhooks reach a private network',
    change: (find) =>
      find('NetworkPolicy', 'to-internet').spec.egress[0].to.push({ ipBlock: { cidr: '10.0.0.0/8' } }),
    problem: /includes the private range 10\.0\.0\.0\/8/,
  },
  {
    name: 'IPv6 includes local addresses',
    change: (find) => (find('NetworkPolicy', 'to-internet').spec.egress[0].to[1].ipBlock.cidr = '::/0'),
    problem: /includes the private range fc00::\/7/,
  },
  {
    name: 'merchant reaches the stream',
    change: (find) =>
      find('NetworkPolicy', 'stream-from-gateway').spec.ingress[0].from.push({
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'merchant' } },
      }),
    problem: /Deployment\/merchant: may reach the stream/,
  },
  {
    name: 'a policy names pods that do not exist',
    change: (find) =>
      (find('NetworkPolicy', 'gateway-to-stream').spec.podSelector.matchLabels = {
        'app.kubernetes.io/name': 'gatway',
      }),
    problem: /no pod has app\.kubernetes\.io\/name=gatway/,
  },
  {
    name: 'Redis of the sandbox is open to all apps',
    overlay: 'sandbox',
    change: (find) =>
      (find('NetworkPolicy', 'to-redis').spec.podSelector = {
        matchLabels: { 'app.kubernetes.io/component': 'app' },
      }),
    problem: /may reach Redis, which it does not use/,
  },
];

/** @type {Mutation[]} */
const ofReferences = [
  {
    name: 'a Service selects other pods',
    change: (find) => (find('Service', 'stream').spec.selector['app.kubernetes.io/name'] = 'streams'),
    problem: /Service\/stream: selects the pods of 0 workloads/,
  },
  {
    name: 'a Service leads to a wrong port',
    change: (find) => (find('Service', 'gateway').spec.ports[0].targetPort = 'https'),
    problem: /Service\/gateway: no container listens on https/,
  },
  {
    name: 'a Deployment selects other pods',
    change: (find) =>
      (find('Deployment', 'nanopay').spec.selector.matchLabels['app.kubernetes.io/name'] = 'nano'),
    problem: /Deployment\/nanopay: the selector does not match/,
  },
  {
    name: 'the route leads past the gateway',
    change: (find) => (find('HTTPRoute', 'api').spec.rules[1].backendRefs[0].name = 'stream'),
    problem: /HTTPRoute\/api: leads to stream/,
  },
  {
    name: 'a ConfigMap is missing',
    change: (find) =>
      (container(find('Deployment', 'tx-engine')).envFrom[0].configMapRef.name = 'tx-settings'),
    problem: /there is no ConfigMap tx-settings/,
  },
  {
    name: 'Prometheus scrapes another port',
    change: (find) => (find('PodMonitor', 'tollbridge').spec.podMetricsEndpoints[0].port = 'metrics'),
    problem: /PodMonitor\/tollbridge: .* has no port metrics/,
  },
];

/** @type {Mutation[]} */
const ofScale = [
  {
    name: 'an autoscaler asks for more connections than PostgreSQL has',
    change: (find) => (find('ScaledObject', 'merchant').spec.maxReplicaCount = 12),
    problem: /PostgreSQL needs \d+ connections of max_connections=200/,
  },
  {
    name: 'a pool is larger than PostgreSQL allows',
    change: (_, documents) => (settingsOf(documents, 'tx-engine').TX_ENGINE_DATABASE_CONNECTIONS = '40'),
    problem: /PostgreSQL needs \d+ connections/,
  },
  {
    name: 'a PodDisruptionBudget is missing',
    change: (_, documents) => remove(documents, 'PodDisruptionBudget', 'gateway'),
    problem: /Deployment\/gateway: has no PodDisruptionBudget/,
  },
  {
    name: 'a PodDisruptionBudget blocks every drain',
    change: (find) => (find('PodDisruptionBudget', 'tx-engine').spec.maxUnavailable = 0),
    problem: /lets no node be drained/,
  },
  {
    name: 'an app has one replica',
    change: (find) => (find('Deployment', 'pay-orders').spec.replicas = 1),
    problem: /Deployment\/pay-orders: needs 2 replicas/,
  },
  {
    name: 'replicas are set beside an autoscaler',
    change: (find) => (find('Deployment', 'gateway').spec.replicas = 2),
    problem: /replicas must be left to HorizontalPodAutoscaler\/gateway/,
  },
  {
    name: 'KEDA follows a consumer that does not exist',
    change: (find) =>
      (find('ScaledObject', 'merchant').spec.triggers[0].metadata.consumer = 'merchant-order'),
    problem: /there is no consumer PAY_ORDERS merchant-order/,
  },
];

/** @type {Mutation[]} */
const ofProduction = [
  {
    name: 'an image has a tag',
    change: (find) =>
      (container(find('Deployment', 'gateway')).image = 'registry.example.com/gateway:latest'),
    problem: /needs a digest/,
  },
  {
    name: 'an image of the sandbox has the tag latest',
    overlay: 'sandbox',
    change: (find) => (container(find('Deployment', 'gateway')).image = 'tollbridge/gateway:latest'),
    problem: /needs a tag, and not latest/,
  },
  {
    name: 'the sandbox app is beside real money',
    change: (find, documents) => {
      const copy = structuredClone(find('Deployment', 'nanopay'));
      container(copy).image = `registry.example.com/tollbridge/sandbox@sha256:${'1'.repeat(64)}`;
      copy.metadata.name = 'simulators';
      documents.push(copy);
    },
    problem: /is of the sandbox/,
  },
  {
    name: 'a Secret stands in the manifests',
    change: (_, documents) =>
      documents.push({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'more', namespace: 'tollbridge' },
        stringData: { key: 'value' },
      }),
    problem: /Secret\/more: secrets come from ExternalSecrets only/,
  },
  {
    name: 'a known key is used',
    change: (_, documents) =>
      (settingsOf(documents, 'tee').TEE_DIALOG_DOMAINS =
        '41dc85ccf5ade4aa22c7690da359a46f8ab19d761d59bb833308982554ecc3eb'),
    problem: /has a secret that stands in the repository/,
  },
  {
    name: 'a URL has a password',
    change: (_, documents) => (settingsOf(documents, 'gateway').STREAM_URL = 'http://user:word@stream:9206'),
    problem: /has a password/,
  },
];

export const mutations = [
  ...ofPods,
  ...ofSettings,
  ...ofNetworks,
  ...ofReferences,
  ...ofScale,
  ...ofProduction,
];
