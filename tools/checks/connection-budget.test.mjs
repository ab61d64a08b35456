import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configuredConnections, connectionBudget } from './connection-budget.mjs';

const orders = { app: 'pay-orders', replicas: 3, surge: 1, connections: 20 };
const tee = { app: 'tee', replicas: 2, connections: 10 };

test('connectionBudget adds replicas, surge, migrations and the reserve', () => {
  const { needed, lines, problems } = connectionBudget({
    apps: [orders, tee],
    migrationJobs: 2,
    maxConnections: 117,
  });
  assert.equal(needed, 4 * 20 + 2 * 10 + 2 * 2 + 3 + 10);
  assert.deepEqual(problems, []);
  assert.equal(lines[0], 'pay-orders: (3 + 1) x 20 = 80');
});

test('connectionBudget names the sum when one connection is missing', () => {
  const { problems } = connectionBudget({ apps: [orders, tee], migrationJobs: 2, maxConnections: 116 });
  assert.match(problems.join(), /117 connections are needed, and max_connections is 116/);
});

test('connectionBudget rejects figures that are not whole numbers', () => {
  const { problems } = connectionBudget({ apps: [{ ...tee, replicas: NaN }], maxConnections: 1_000 });
  assert.match(problems[0], /tee: replicas, surge and connections must be whole numbers/);
  assert.equal(problems.length, 2);
});

test('postgresql.conf admits one replica of every app during a rollout, with the default pools', () => {
  const names = ['pay-orders', 'tx-engine', 'merchant', 'service-api', 'tee', 'sandbox'];
  const apps = names.map((app) => ({ app, replicas: 1, surge: 0, connections: 20 }));
  const maxConnections = configuredConnections();
  assert.deepEqual(connectionBudget({ apps, migrationJobs: names.length, maxConnections }).problems, []);
});
