import { remove } from './changing.mjs';

/** @type {import('../mutations.mjs').Mutation[]} */
export const ofNetworks = [
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
