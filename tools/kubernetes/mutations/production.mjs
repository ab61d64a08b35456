import { container, settingsOf } from './changing.mjs';

/** @type {import('../mutations.mjs').Mutation[]} */
export const ofProduction = [
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
