import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { loadProduct } from './product.mjs';

const { apps } = loadProduct();
// loadProduct must run first, because it lets `require` read the source files.
const { loadConfig } = createRequire(import.meta.url)('@tollbridge/config');

/**
 * The variables that Kubernetes sets in every container for each Service of its namespace. See
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const injected =
  /^[A-Z][A-Z0-9_]*_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

const appNames = apps.map(({ name }) => name);
const services = [
  ...appNames,
  'nats',
  'postgres',
  'redis',
  'sandbox-smtp',
  'sandbox-simulators',
  'tee-tcp',
].flatMap((name) => [name, `${name}-management`, `${name}-db`, `${name}-listen`, `${name}-headless`]);

/** @param {string} service @param {number} port @param {string} portName */
function variablesOf(service, port, portName) {
  const prefix = service.toUpperCase().replaceAll('-', '_');
  const address = '10.96.0.1';
  const link = `${prefix}_PORT_${port}_TCP`;
  return {
    [`${prefix}_SERVICE_HOST`]: address,
    [`${prefix}_SERVICE_PORT`]: String(port),
    [`${prefix}_SERVICE_PORT_${portName.toUpperCase().replaceAll('-', '_')}`]: String(port),
    [`${prefix}_PORT`]: `tcp://${address}:${port}`,
    [link]: `tcp://${address}:${port}`,
    [`${link}_PROTO`]: 'tcp',
    [`${link}_PORT`]: String(port),
    [`${link}_ADDR`]: address,
  };
}

/** The services of a namespace with a Service for every app and server, and for their additional ports. */
const namespace = Object.assign(
  {},
  ...services.map((service, index) => variablesOf(service, 3_000 + index, 'http-api')),
);

describe('names of settings and the names that Kubernetes injects', () => {
  it('matches every injected variable of a namespace', () => {
    assert.ok(Object.keys(namespace).length > 500);
    assert.deepEqual(
      Object.keys(namespace).filter((name) => !injected.test(name)),
      [],
    );
  });

  it('declares no setting that a Service with any name could set', () => {
    const declared = apps.flatMap(({ settings, migrationVariable }) => [
      ...Object.keys(settings),
      ...(migrationVariable ? [migrationVariable] : []),
    ]);
    assert.ok(declared.length > 100);
    assert.deepEqual(
      declared.filter((name) => injected.test(name)),
      [],
    );
  });

  for (const { name, settings } of apps) {
    it(`reads the same configuration of ${name} with and without the variables of a namespace`, () => {
      const env = { TOLLBRIDGE_ENV: 'sandbox', ...examplesOf(settings) };
      assert.deepEqual(loadConfig(settings, { ...namespace, ...env }), loadConfig(settings, env));
    });

    it(`rejects the former port names of ${name} if an operator has set them`, () => {
      const former = Object.entries(settings).filter(([, { formerName }]) => formerName);
      assert.ok(former.length > 0);
      for (const [current, { formerName }] of former) {
        const env = { TOLLBRIDGE_ENV: 'sandbox', ...examplesOf(settings), [formerName]: '9999' };
        assert.throws(() => loadConfig(settings, env), new RegExp(`${formerName} is renamed to ${current}:`));
      }
    });
  }
});

/** Values for the settings that have no default in the sandbox. */
function examplesOf(settings) {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, setting]) => setting.default === undefined && setting.sandboxDefault === undefined)
      .map(([name, { example }]) => [name, example]),
  );
}
