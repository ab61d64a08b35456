import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configuredConnections, configuredRoleLimits, connectionBudget } from './connection-budget.mjs';

const orders = { app: 'pay-orders', replicas: 3, surge: 1, connections: 20 };
const tee = { app: 'tee', replicas: 2, connections: 10 };

test('connectionBudget adds replicas, surge, migrations and the reserve', () => {
  const { needed, lines, problems } = connectionBudget({
    apps: [orders, tee],
    migrationJobs: 2,
    maxConnections: 119,
  });
  assert.equal(needed, 4 * 20 + 2 * 10 + 2 * 3 + 3 + 10);
  assert.deepEqual(problems, []);
  assert.equal(lines[0], 'pay-orders: (3 + 1) x 20 = 80');
});

test('connectionBudget reports the sum when one connection is missing', () => {
  const { problems } = connectionBudget({ apps: [orders, tee], migrationJobs: 2, maxConnections: 118 });
  assert.match(problems.join(), /119 connections are needed, and max_connections is 118/);
});

test('connectionBudget rejects numbers that are not integers', () => {
  const { problems } = connectionBudget({ apps: [{ ...tee, replicas: NaN }], maxConnections: 1_000 });
  assert.match(problems[0], /tee: replicas, surge and connections must be whole numbers/);
  assert.equal(problems.length, 2);
});

test('postgresql.conf allows the sum of the role limits in roles.sql', () => {
  const limits = Object.entries(configuredRoleLimits());
  assert.ok(limits.length >= 6, 'roles.sql has a limit for each runtime role');
  const apps = limits.map(([app, connections]) => ({ app, replicas: 1, connections }));
  const maxConnections = configuredConnections();
  assert.deepEqual(connectionBudget({ apps, migrationJobs: apps.length, maxConnections }).problems, []);
});

test('roles.sql allows each role two replicas with the default pool', () => {
  for (const [schema, limit] of Object.entries(configuredRoleLimits()))
    assert.ok(limit >= (schema === 'sandbox' ? 20 : 40), `${schema}: ${limit}`);
});
