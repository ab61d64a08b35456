import { nameOf } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */

// Above the longest time that a call may wait (645 s). The value 0 removes the limit.
const shortestTimeoutSeconds = 655;

/**
 * Verifies that only the gateway is public, that its proxies are configured, and that they wait as long as its clients.
 * @param {Release} release
 * @returns {string[]}
 */
export function routeProblems(release) {
  const routes = release.of('HTTPRoute');
  return [
    ...routes.flatMap((route) => backendProblems(route, release)),
    ...routes.flatMap(timeoutProblems),
    ...(routes.length > 0 ? proxyProblems(release) : []),
  ];
}

/** @param {any} route @param {Release} release */
function backendProblems(route, { of }) {
  const backends = route.spec.rules.flatMap(({ backendRefs = [] }) => backendRefs);
  const isThere = (/** @type {any} */ { name, port }) =>
    of('Service').some(
      ({ metadata, spec }) =>
        metadata.name === name && spec.ports.some((/** @type {any} */ given) => given.port === port),
    );
  return backends.flatMap((/** @type {any} */ backend) => [
    ...(backend.name === 'gateway'
      ? []
      : [`${nameOf(route)}: leads to ${backend.name}: only the gateway is public`]),
    ...(isThere(backend)
      ? []
      : [`${nameOf(route)}: there is no Service ${backend.name} with the port ${backend.port}`]),
  ]);
}

/** @param {any} route */
function timeoutProblems(route) {
  const given = route.spec.rules.flatMap(({ timeouts = {} }) => Object.values(timeouts));
  return given
    .filter(
      (text) => !/^0s$/.test(text) && !(/^\d+s$/.test(text) && parseInt(text, 10) >= shortestTimeoutSeconds),
    )
    .map(
      (text) => `${nameOf(route)}: the time-out ${text} must be 0s, or ${shortestTimeoutSeconds}s or more`,
    );
}

/** @param {Release} release */
function proxyProblems({ apps, environment }) {
  const gateway = apps.find(({ app }) => app === 'gateway');
  const proxies = gateway ? (environment(gateway).GATEWAY_TRUSTED_PROXIES ?? '') : '';
  if (proxies === '')
    return ['GATEWAY_TRUSTED_PROXIES must name the proxies of the route, or all clients share one limit'];
  return proxies
    .split(',')
    .filter((range) => range.trim().endsWith('/0'))
    .map((range) => `GATEWAY_TRUSTED_PROXIES must not be ${range}: clients could forge their address`);
}
