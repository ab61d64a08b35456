import { contains, overlaps, privateRanges, readCidr } from './cidr.mjs';
import { portsOf, reachProblems, stores, streamProblems } from './reach-checks.mjs';
import { nameOf, selects } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */
/** @typedef {import('./release.mjs').Workload} Workload */

// A data store is one server or one small network.
const narrowest = { ipv4: 24, ipv6: 64 };

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

/** Verifies that every label value in a policy selects existing pods. @param {any} policy @param {Release} release */
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
    stores.some((store) => store.ports.includes(ports[0].port)) &&
    range.prefix >= narrowest[range.family];
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
