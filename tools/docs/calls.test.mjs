import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { natsApps, natsOperator } from '../local/nats-users.mjs';
import { loadProduct, repository } from './product.mjs';

const { api, features } = loadProduct();
const { appCalls, callAccess, operatorName } = api;

/** @param {string} folder @returns {string[]} the source files of production code */
function sourcesIn(folder) {
  return readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !/(^|\/)testing\//.test(file))
    .map((file) => readFileSync(join(repository, folder, file), 'utf8'));
}

/**
 * The operations that a source file uses: `xApi.operations.y`, and `const { y, z } = xApi.operations`.
 * @param {string} source
 */
function operationsNamedIn(source) {
  const single = [...source.matchAll(/\b(\w+Api)\.operations\.(\w+)/g)].map(([, feature, name]) => [
    feature,
    name,
  ]);
  const several = [...source.matchAll(/\{([^{}]*)\}\s*=\s*(\w+Api)\.operations\b(?!\.)/g)].flatMap(
    ([, names, feature]) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean)
        .map((name) => [feature, name.split(':')[0].trim()]),
  );
  return [...single, ...several].map(([feature, name]) => {
    const operation = api[feature]?.operations[name];
    assert.ok(operation, `${feature}.operations.${name} is not an operation`);
    return operation;
  });
}

/** The operations of other apps that an app calls, directly or through a library. @param {string} app */
function operationsUsedBy(app) {
  // The operator is a person who runs a command, not an app.
  const own =
    app === operatorName
      ? [readFileSync(join(repository, 'tools/local/keys-plan-command.mjs'), 'utf8')]
      : sourcesIn(`apps/${app}/src`);
  const usesKeySpends = own.some((source) => source.includes("'@tollbridge/key-budgets'"));
  const followsClock = own.some((source) => source.includes('followsSandboxClock:'));
  const sources = [
    ...own,
    ...(usesKeySpends ? sourcesIn('libs/auth/key-budgets/src') : []),
    ...(followsClock ? sourcesIn('libs/platform/bootstrap/src') : []),
  ];
  return sources
    .flatMap(operationsNamedIn)
    .filter((operation) => operation.app !== app || operation.feature === 'clock-ahead');
}

const publicSubjects = new Set(
  features.flatMap(({ operations }) => Object.values(operations).map(({ subject }) => subject)),
);

describe('libs/contracts/src/calls.ts', () => {
  it('lists every app, and the operator by its NATS user', () => {
    // all-in-one contains all other apps, and web runs in browsers.
    const apps = readdirSync(join(repository, 'apps')).filter((app) => !['all-in-one', 'web'].includes(app));
    assert.deepEqual(Object.keys(appCalls).sort(), [...apps, operatorName].sort());
    assert.equal(operatorName, natsOperator);
  });

  it('permits no app to call operations that only the operator may call', () => {
    const { asItself, forPrincipal } = appCalls[operatorName];
    assert.ok(asItself.length > 0);
    assert.deepEqual(forPrincipal, []);
    for (const { subject } of asItself)
      for (const app of Object.keys(natsApps)) assert.equal(callAccess(app, subject), 'none');
  });

  for (const app of Object.keys(appCalls)) {
    it(`declares every call that the code of ${app} makes`, () => {
      const missing = operationsUsedBy(app).filter(({ subject }) => callAccess(app, subject) === 'none');
      assert.deepEqual(
        missing.map(({ subject }) => subject),
        [],
        'Declare them in libs/contracts/src/calls.ts, then run: node tools/nats-users.mjs',
      );
    });

    it(`declares no call that the code of ${app} does not make`, () => {
      const used = new Set(operationsUsedBy(app).map(({ subject }) => subject));
      const { asItself, forPrincipal } = appCalls[app];
      const isRoute = (subject) => app === 'gateway' && publicSubjects.has(subject);
      const unused = [...asItself, ...forPrincipal]
        .map(({ subject }) => subject)
        .filter((subject) => !used.has(subject) && !isRoute(subject));
      assert.deepEqual(unused, []);
    });
  }

  it('permits payment frames only to the apps that send them', () => {
    const senders = Object.keys(appCalls).filter(
      (app) =>
        ![operatorName, 'tee'].includes(app) &&
        sourcesIn(`apps/${app}/src`).some((source) => /\b(natsTransport|paymentsSubject)\b/.test(source)),
    );
    const permitted = Object.keys(natsApps).filter((app) => natsApps[app].sendsPayments);
    assert.deepEqual(senders.sort(), permitted.sort());
  });

  it('lets only the gateway set any principal, and merchant only the principal of an order', () => {
    const named = Object.entries(appCalls)
      .filter(([app]) => app !== 'gateway')
      .flatMap(([app, { forPrincipal }]) => forPrincipal.map(({ subject }) => `${app} ${subject}`));
    assert.deepEqual(named, [
      'merchant op.pay-orders.orders.create-order',
      'merchant op.pay-orders.payerless-orders.create-payerless-order',
    ]);
  });
});
