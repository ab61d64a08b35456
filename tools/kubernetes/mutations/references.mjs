import { container, settingsOf } from './changing.mjs';

/** @type {import('../mutations.mjs').Mutation[]} */
export const ofReferences = [
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
  {
    name: 'the route ends calls that wait',
    change: (find) => (find('HTTPRoute', 'api').spec.rules[1].timeouts.request = '60s'),
    problem: /the time-out 60s must be 0s, or 655s or more/,
  },
  {
    name: 'the gateway knows no proxy',
    change: (_, documents) => delete settingsOf(documents, 'gateway').GATEWAY_TRUSTED_PROXIES,
    problem: /GATEWAY_TRUSTED_PROXIES must name the proxies/,
  },
  {
    name: 'the gateway trusts every address',
    change: (_, documents) => (settingsOf(documents, 'gateway').GATEWAY_TRUSTED_PROXIES = '0.0.0.0/0'),
    problem: /GATEWAY_TRUSTED_PROXIES must not be 0\.0\.0\.0\/0/,
  },
  {
    name: 'a pod has the image of another app',
    change: (find) =>
      (container(find('Deployment', 'stream')).image = container(find('Deployment', 'gateway')).image),
    problem: /Deployment\/stream: the image .* is not that of stream/,
  },
  {
    name: 'a program does not exist',
    change: (find) =>
      (container(find('Job', 'migrate-tee')).command = ['node', 'apps/tee/dist/migrations.js']),
    problem: /Job\/migrate-tee: there is no program/,
  },
];
