import { contains, readCidr } from './cidr.mjs';
import { selects } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */
/** @typedef {import('./network-checks.mjs').Rule} Rule */

// Settings with the URL of a data store, and its usual ports, including those of PgBouncer and of Redis with TLS.
export const stores = [
  { setting: /_DATABASE_URL(_FILE)?$/, ports: [5432, 6432], name: 'PostgreSQL' },
  { setting: /_NATS_URL(_FILE)?$/, ports: [4222], name: 'NATS' },
  { setting: /_REDIS_URL(_FILE)?$/, ports: [6379, 6380], name: 'Redis' },
];
// Apps that call providers, chain nodes or webhooks.
const onInternet = ['pay-orders', 'tx-engine', 'merchant', 'service-api', 'nanopay'];
const somewhere = [readCidr('1.1.1.1/32'), readCidr('2606:4700:4700::1111/128')];
/** @param {Workload} workload @returns {any[]} */
export const portsOf = ({ pod }) => pod.containers.flatMap((/** @type {any} */ { ports = [] }) => ports);

/** Verifies that a pod can reach exactly the stores of its URLs, and the internet only if it needs it. */
export function reachProblems(
  /** @type {Workload} */ workload,
  /** @type {Rule[]} */ rules,
  /** @type {Release} */ release,
) {
  if (!workload.isApp && workload.document.kind !== 'Job') return [];
  const own = rules.filter(
    ({ direction, selected }) => direction === 'egress' && selected.includes(workload),
  );
  const names = Object.keys(release.environment(workload));
  const isSetup = workload.app === 'setup';
  const ofStores = stores.flatMap(({ setting, ports, name }) => {
    const needs =
      names.some((key) => setting.test(key)) || (isSetup && (ports.includes(5432) || ports.includes(4222)));
    const reaches = own.some((rule) => rule.ports.some((given) => reachesPort(given, rule, ports, release)));
    if (needs === reaches) return [];
    return [
      `${workload.name}: ${needs ? `no NetworkPolicy lets it reach ${name}` : `may reach ${name}, which it does not use`}`,
    ];
  });
  const isOut = own.some(({ peers }) =>
    peers.some(
      ({ ipBlock }) => ipBlock && somewhere.some((address) => contains(readCidr(ipBlock.cidr), address)),
    ),
  );
  return isOut && !onInternet.includes(workload.app)
    ? [...ofStores, `${workload.name}: may reach the internet`]
    : ofStores;
}

/** @param {any} given @param {Rule} rule @param {number[]} wanted @param {Release} release */
function reachesPort({ port: given }, { peers }, wanted, { workloads }) {
  if (typeof given === 'number') return wanted.includes(given);
  return workloads
    .filter(({ labels }) => peers.some(({ podSelector }) => podSelector && selects(podSelector, labels)))
    .some((workload) =>
      portsOf(workload).some(({ name, containerPort }) => name === given && wanted.includes(containerPort)),
    );
}

/** The stream trusts the client addresses that it receives, so only the gateway may reach it. */
export function streamProblems(/** @type {Rule[]} */ rules, /** @type {Release} */ { workloads }) {
  const stream = workloads.find(({ app }) => app === 'stream');
  if (!stream) return [];
  const entering = rules.filter(
    ({ direction, selected, ports }) =>
      direction === 'ingress' && selected.includes(stream) && ports.some(({ port }) => port !== 'management'),
  );
  const allowed = workloads.filter(({ labels }) =>
    entering.some(({ peers }) =>
      peers.some(({ podSelector, namespaceSelector }) => !namespaceSelector && selects(podSelector, labels)),
    ),
  );
  const isForeign = entering.some(({ peers }) => peers.some(({ namespaceSelector }) => namespaceSelector));
  const others = allowed.filter(({ app }) => app !== 'gateway');
  return [
    ...(allowed.some(({ app }) => app === 'gateway')
      ? []
      : ['no NetworkPolicy lets the gateway reach the stream']),
    ...others.map(({ name }) => `${name}: may reach the stream`),
    ...(isForeign ? ['pods of another namespace may reach the stream'] : []),
  ];
}
