import { container, podOf, remove, settingsOf } from './changing.mjs';

/** @type {import('../mutations.mjs').Mutation[]} */
export const ofSettings = [
  {
    name: 'no Job creates the event streams',
    change: (_, documents) => remove(documents, 'Job', 'provision-streams'),
    problem: /the Job provision-streams is missing/,
  },
  {
    name: 'an app holds the credentials of the provisioner',
    change: (find) =>
      podOf(find('Deployment', 'merchant')).volumes.push({
        name: 'more',
        secret: { secretName: 'provision-streams' },
      }),
    problem: /holds provision-streams, the credentials of the provisioner/,
  },
  {
    name: 'the Job creates a stream with another bound than its app expects',
    change: (_, documents) => (settingsOf(documents, 'merchant').MERCHANT_STREAM_MAX_MB = '2048'),
    problem: /MERCHANT_STREAM_MAX_MB must be as in merchant/,
  },
  {
    name: 'the provisioner has no NATS user',
    change: (_, documents) => delete settingsOf(documents, 'provision-streams').PROVISIONER_NATS_URL_FILE,
    problem: /PROVISIONER_NATS_URL_FILE must name a file of a mounted Secret/,
  },
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
    name: 'a variable is not a setting',
    change: (_, documents) => (settingsOf(documents, 'gateway').GATEWAY_PUBLIC_ULR = 'https://api.test'),
    problem: /GATEWAY_PUBLIC_ULR is not a setting of gateway/,
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
    name: 'a setting names another path',
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
