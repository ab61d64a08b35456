import { contains, overlaps, privateRanges, readCidr } from './cidr.mjs';
import { nameOf, selects } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */

// Settings by which a pod reaches a store, and the port of the store.
const stores = [
  { setting: /_DATABASE_URL(_FILE)?$/, port: 5432, name: 'PostgreSQL' },
  { setting: /_NATS_URL(_FILE)?$/, port: 4222, name: 'NATS' },
  { setting: /_REDIS_URL(_FILE)?$/, port: 6379, name: 'Redis' },
];
// Those that call providers, nodes of chains or webhooks.
const onInternet = ['pay-orders', 'tx-engine', 'merchant', 'service-api', 'nanopay'];
const somewhere = [readCidr('1.1.1.1/32'), readCidr('2606:4700:4700::1111/128')];
// A store is one server or one small network.
const narrowest = { 32: 24, 128: 64 };

/** @param {Release} release @returns {string[]} */
export function networkProblems(release) {
  const policies = release.of('NetworkPolicy');
  const rules = policies.flatMap((policy) => rulesOf(policy, release));
  return [
    ...(policies.some(deniesAll) ? [] : ['no NetworkPolicy denies everything by default']),
    ...policies.flatMap((policy) => policyProblems(policy, release)),
    ...rules.flatMap(ruleProblems),
    ...release.workloads.flatMap((workload) => reachProblems(workload, rules, release)),
    ...streamProblems(rules, release),
  ];
}

/** @param {any} policy */
const deniesAll = ({ spec: { podSelector, policyTypes = [], ingress, egress } }) =>
  isEmpty(podSelector) && policyTypes.length === 2 && !ingress?.length && !egress?.length;

/** @param {any} selector */
const isEmpty = ({ matchLabels, matchExpressions } = /** @type {any} */ ({})) =>
  !matchLabels && !matchExpressions;

/**
 * @typedef {{ policy: any, direction: 'ingress' | 'egress', peers: any[], ports: any[], selected: Workload[], isOfDns: boolean }} Rule
 * @param {any} policy @param {Release} release @returns {Rule[]}
 */
function rulesOf(policy, { workloads }) {
  const selected = workloads.filter(({ labels }) => selects(policy.spec.podSelector, labels));
  const { ingress = [], egress = [] } = policy.spec;
  return [
    ...ingress.map((/** @type {any} */ { from = [], ports = [] }) => ({
      policy,
      direction: 'ingress',
      peers: from,
      ports,
      selected,
    })),
    ...egress.map((/** @type {any} */ { to = [], ports = [] }) => ({
      policy,
      direction: 'egress',
      peers: to,
      ports,
      selected,
    })),
  ].map((rule) => ({
    ...rule,
    isOfDns: rule.ports.length > 0 && rule.ports.every(({ port }) => port === 53),
  }));
}

/** Every policy names pods that exist, value by value. @param {any} policy @param {Release} release */
function policyProblems(policy, { workloads }) {
  const { podSelector, ingress = [], egress = [] } = policy.spec;
  const peers = [...ingress, ...egress].flatMap(({ from = [], to = [] }) => [...from, ...to]);
  const selectors = [
    podSelector,
    ...peers.filter(({ namespaceSelector }) => !namespaceSelector).map((peer) => peer.podSelector),
  ].filter((selector) => selector && !isEmpty(selector));
  const names = selectors.flatMap(({ matchLabels = {}, matchExpressions = [] }) => [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, value })),
    ...matchExpressions.flatMap((/** @type {any} */ { key, values = [] }) =>
      values.map((/** @type {string} */ value) => ({ key, value })),
    ),
  ]);
  return names
    .filter(({ key, value }) => !workloads.some(({ labels }) => labels[key] === value))
    .map(({ key, value }) => `${nameOf(policy)}: no pod has ${key}=${value}`);
}

/** @param {Rule} rule @returns {string[]} */
function ruleProblems({ policy, direction, peers, ports, selected, isOfDns }) {
  const problems = [];
  if (peers.length === 0) problems.push(`${direction} allows every peer`);
  if (ports.length === 0) problems.push(`${direction} allows every port`);
  if (isEmpty(policy.spec.podSelector) && !isOfDns)
    problems.push('applies to every pod and allows something');
  for (const { podSelector, namespaceSelector, ipBlock } of peers) {
    if (ipBlock) problems.push(...blockProblems(ipBlock, ports, direction));
    else if (isEmpty(podSelector) && isEmpty(namespaceSelector))
      problems.push(`${direction} allows every pod`);
  }
  const named = direction === 'ingress' ? ports.filter(({ port }) => typeof port === 'string') : [];
  for (const { port } of named)
    if (!selected.every((workload) => portsOf(workload).some(({ name }) => name === port)))
      problems.push(`not every pod has the port ${port}`);
  return problems.map((problem) => `${nameOf(policy)}: ${problem}`);
}

/** @param {any} block @param {any[]} ports @param {string} direction @returns {string[]} */
function blockProblems({ cidr, except = [] }, ports, direction) {
  const range = readCidr(cidr);
  if (direction === 'ingress') return [`ingress from the addresses ${cidr}: only pods may connect`];
  const isStore =
    ports.length === 1 &&
    stores.some(({ port }) => port === ports[0].port) &&
    range.prefix >= narrowest[range.bits];
  if (isStore) return [];
  const holes = except.map(readCidr);
  return privateRanges
    .filter(
      (text) =>
        overlaps(range, readCidr(text)) &&
        !holes.some((/** @type {any} */ hole) => contains(hole, readCidr(text))),
    )
    .map((text) => `egress to ${cidr} includes the private range ${text}`);
}

/** @param {Workload} workload @returns {any[]} */
const portsOf = ({ pod }) => pod.containers.flatMap((/** @type {any} */ { ports = [] }) => ports);

/** A pod reaches exactly the stores whose URL it has, and the internet only where its work is there. */
function reachProblems(
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
  const ofStores = stores.flatMap(({ setting, port, name }) => {
    const needs = names.some((key) => setting.test(key)) || (isSetup && port === 5432);
    const reaches = own.some((rule) => rule.ports.some((given) => reachesPort(given, rule, port, release)));
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

/** @param {any} given @param {Rule} rule @param {number} port @param {Release} release */
function reachesPort({ port: given }, { peers }, port, { workloads }) {
  if (typeof given === 'number') return given === port;
  return workloads
    .filter(({ labels }) => peers.some(({ podSelector }) => podSelector && selects(podSelector, labels)))
    .some((workload) =>
      portsOf(workload).some(({ name, containerPort }) => name === given && containerPort === port),
    );
}

/** The stream trusts the addresses that it is given, so only the gateway may reach it. */
function streamProblems(/** @type {Rule[]} */ rules, /** @type {Release} */ { workloads }) {
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
