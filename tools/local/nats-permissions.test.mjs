import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AckPolicy, connect, StringCodec } from 'nats';
import { repository } from './directory.mjs';
import { loadProduct } from '../docs/product.mjs';
import { callSubjects, natsApps, natsOperator, renderNatsUsers, streamOf } from './nats-users.mjs';
import { spawnTestServers } from './test-servers-process.mjs';

const text = StringCodec();
const apps = Object.keys(natsApps);
const { api, features, internalFeatures } = loadProduct();
const calls = callSubjects(api.appCalls);
const operations = [...features, ...internalFeatures].flatMap((feature) => Object.values(feature.operations));
const publishers = apps.filter((app) => natsApps[app].publishesEvents);

/** @type {Awaited<ReturnType<typeof spawnTestServers>>} */
let servers;
/** @type {Record<string, import('nats').NatsConnection>} */
const connections = {};

before(async () => {
  servers = await spawnTestServers();
  const passwords = JSON.parse(servers.variables.TEST_NATS_PASSWORDS);
  const server = `127.0.0.1:${servers.variables.TEST_NATS_PORT}`;
  for (const user of [...apps, natsOperator]) {
    connections[user] = await connect({
      servers: server,
      user,
      pass: passwords[user],
      inboxPrefix: `_INBOX.${user}`,
    });
  }
});

after(async () => {
  await Promise.all(Object.values(connections).map((connection) => connection.close()));
  await servers?.stop();
});

/**
 * Does something that the server must reject, and checks its error.
 * @param {string} user
 * @param {string} operation
 * @param {string} subject
 * @param {(connection: import('nats').NatsConnection) => unknown} act
 */
async function rejected(user, operation, subject, act) {
  const connection = connections[user];
  /** @type {any} its type does not say that it can be stopped */
  const statuses = connection.status();
  const timer = setTimeout(() => statuses.stop(), 20_000);
  act(connection);
  await connection.flush();
  for await (const { type, permissionContext } of statuses) {
    if (type !== 'error' || permissionContext?.subject !== subject) continue;
    clearTimeout(timer);
    return assert.equal(permissionContext.operation, operation);
  }
  assert.fail(`${user} was not rejected: ${operation} ${subject}`);
}

/**
 * Publishes to all subjects, and returns those that the server rejected.
 * @param {import('nats').NatsConnection} connection
 * @param {string[]} subjects
 */
async function rejectedSubjects(connection, subjects) {
  const end = `op.end.${Math.random()}`;
  /** @type {any} its type does not say that it can be stopped */
  const statuses = connection.status();
  for (const subject of [...subjects, end]) connection.publish(subject);
  const rejected = new Set();
  for await (const { type, permissionContext } of statuses) {
    if (type !== 'error') continue;
    // The server answers in order: everything before the last subject has been decided.
    if (permissionContext?.subject === end) return rejected;
    rejected.add(permissionContext?.subject);
  }
  throw new Error('the connection ended');
}

/** @param {string} user @param {string} subject */
const publishRejected = (user, subject) =>
  rejected(user, 'publish', subject, (nats) => nats.publish(subject));

/** @param {string} user @param {string} subject */
const subscribeRejected = (user, subject) =>
  // With a callback the library passes the error to it as well; without one it would throw.
  rejected(user, 'subscription', subject, (nats) => nats.subscribe(subject, { callback: () => undefined }));

describe('deploy/nats/users.conf', () => {
  it('matches the table of users', () => {
    const written = readFileSync(join(repository, 'deploy/nats/users.conf'), 'utf8');
    assert.equal(written, renderNatsUsers(calls), 'Run: node tools/nats-users.mjs');
  });

  it('has no user of the sandbox app and no call to it when it is left out', () => {
    const written = renderNatsUsers(calls, { without: ['sandbox'] });
    assert.doesNotMatch(written, /sandbox/i);
    for (const app of apps.filter((name) => name !== 'sandbox'))
      assert.ok(written.includes(`user: ${app}\n`), app);
  });

  it('lets an app reply for longer than any caller waits', () => {
    const written = readFileSync(join(repository, 'deploy/nats/users.conf'), 'utf8');
    const periods = [...written.matchAll(/expires: "(\d+)m"/g)].map(([, minutes]) => Number(minutes));
    const longestMs = Math.max(...operations.map(({ timeoutMs }) => timeoutMs));
    assert.ok(periods.length > 0);
    for (const minutes of periods) assert.ok(minutes * 60_000 > longestMs, `${minutes} min, ${longestMs} ms`);
  });
});

const nanopayCall = calls.gateway.find((subject) => subject.startsWith('op.nanopay.'));

describe('calls', () => {
  it('allow each app exactly the calls that it declares', async () => {
    const own = (app) => [`op.${app}.outbox-written`, `op.${app}.hung-up`];
    const subjects = [
      ...operations.map(({ subject }) => subject),
      ...apps.flatMap(own),
      'op.tee.payments',
      'op.tee.payments.more',
      'op.merchant.invented.operation',
    ];
    for (const app of apps) {
      const rejected = await rejectedSubjects(connections[app], subjects);
      const allowed = subjects.filter((subject) => !rejected.has(subject)).sort();
      const declared = [
        ...(calls[app] ?? []),
        ...(natsApps[app].publishesEvents ? [`op.${app}.outbox-written`] : []),
      ];
      assert.deepEqual(allowed, [...new Set(declared)].sort(), `the calls of ${app}`);
    }
  });

  it('deliver a call to its app, and the reply to the caller', async () => {
    for (const from of apps) {
      const [subject] = (calls[from] ?? []).filter((name) => !name.endsWith('.hung-up'));
      if (!subject) continue;
      const to = subject.split('.')[1];
      const answering = connections[to].subscribe(subject, {
        callback: (_error, message) => void message.respond(message.data),
      });
      await connections[to].flush();
      const reply = await connections[from].request(subject, text.encode(from), { timeout: 20_000 });
      assert.equal(text.decode(reply.data), from);
      answering.unsubscribe();
    }
  });

  it('reject a subscription to the calls of another app', () =>
    subscribeRejected('merchant', 'op.pay-orders.orders.create'));
  it('reject a subscription to all requests', () => subscribeRejected('merchant', 'op.>'));
  it("an app cannot read another's replies", () => subscribeRejected('merchant', '_INBOX.gateway.>'));
  it('reject a subscription to all replies', () => subscribeRejected('merchant', '_INBOX.>'));
  it("an app cannot write to another's inbox unasked", () =>
    publishRejected('merchant', '_INBOX.gateway.stolen.1'));
  it('reject a subscription to every subject', () => subscribeRejected('gateway', '>'));
  it('reject a subscription to system subjects', () => subscribeRejected('gateway', '$SYS.>'));

  it('allow one reply per request', async () => {
    const [asker, answerer] = [connections.gateway, connections.nanopay];
    /** @type {string[]} */
    const received = [];
    asker.subscribe('_INBOX.gateway.twice', {
      callback: (_error, message) => void received.push(text.decode(message.data)),
    });
    const subject = nanopayCall;
    answerer.subscribe(subject, {
      callback: (_error, message) => void message.respond(text.encode('first')),
    });
    await Promise.all([asker.flush(), answerer.flush()]);
    asker.publish(subject, undefined, { reply: '_INBOX.gateway.twice' });
    while (received.length === 0) await asker.flush();
    await publishRejected('nanopay', '_INBOX.gateway.twice');
    assert.deepEqual(received, ['first']);
  });
});

describe('events', () => {
  it('allow an app to create its own stream and publish into it', async () => {
    for (const app of publishers) {
      const manager = await connections[app].jetstreamManager({ checkAPI: false });
      const config = { name: streamOf(app), subjects: [`events.${app}.>`] };
      await manager.streams.add(config);
      await manager.streams.update(config.name, config);
      const ack = await connections[app]
        .jetstream()
        .publish(`events.${app}.made`, text.encode(app), { msgID: app });
      assert.deepEqual([ack.stream, ack.seq], [config.name, 1]);
      const repeated = await connections[app]
        .jetstream()
        .publish(`events.${app}.made`, text.encode(app), { msgID: app });
      assert.equal(repeated.duplicate, true);
    }
  });

  it('allow the account information', async () => {
    const info = await (await connections.stream.jetstreamManager()).getAccountInfo();
    assert.equal(info.streams, publishers.length);
  });

  it('allow an app to list the consumers of its own stream only', async () => {
    const own = await connections['pay-orders'].jetstreamManager({ checkAPI: false });
    assert.deepEqual(await own.consumers.list('PAY_ORDERS').next(), []);
    await publishRejected('merchant', '$JS.API.CONSUMER.LIST.PAY_ORDERS');
    await publishRejected('gateway', '$JS.API.CONSUMER.LIST.MERCHANT');
  });

  it('permit only consumers that durableConsumers lists', () => {
    const permitted = apps.flatMap((app) => natsApps[app].consumers.map((purpose) => `${app}-${purpose}`));
    assert.deepEqual(Object.values(api.durableConsumers).flat().sort(), permitted.sort());
  });

  for (const app of apps) {
    for (const purpose of natsApps[app].consumers) {
      it(`${app} consumes by ${app}-${purpose}, whole streams and one subject`, async () => {
        const nats = connections[app];
        const manager = await nats.jetstreamManager({ checkAPI: false });
        for (const filter of [undefined, 'events.pay-orders.made']) {
          const config = {
            durable_name: `${app}-${purpose}`,
            ack_policy: AckPolicy.Explicit,
            ...(filter && { filter_subject: filter }),
          };
          await manager.consumers.add('PAY_ORDERS', config);
          const consumer = await nats.jetstream().consumers.get('PAY_ORDERS', config.durable_name);
          const messages = await consumer.consume({ max_messages: 1 });
          for await (const message of messages) {
            assert.equal(text.decode(message.data), 'pay-orders');
            assert.equal(await message.ackAck(), true);
            messages.stop();
          }
          await manager.consumers.delete('PAY_ORDERS', config.durable_name);
        }
      });
    }
  }

  it('deliver the updates of one set of transactions to stream', async () => {
    const subject = 'events.tx-engine.transaction-updated.v1.one';
    const received = new Promise((resolve) => {
      connections.stream.subscribe(subject, {
        callback: (_error, message) => resolve(text.decode(message.data)),
      });
    });
    await connections.stream.flush();
    connections['tx-engine'].publish(subject, text.encode('updated'));
    assert.equal(await received, 'updated');
  });

  it('reject other subscriptions of stream', () => subscribeRejected('stream', 'events.tx-engine.>'));
  it('reject events of stream', () => publishRejected('stream', 'events.stream.made'));
  it('reject events of gateway', () => publishRejected('gateway', 'events.gateway.made'));
  it("an app cannot publish another's", () => publishRejected('merchant', 'events.pay-orders.order-settled'));
  it('reject a subscription to events without a consumer', () => subscribeRejected('merchant', 'events.>'));
  it('deliver changes of orders and payments to gateway', async () => {
    for (const [app, pattern, subject] of [
      ['pay-orders', 'events.pay-orders.*.v1', 'events.pay-orders.order-settled.v1'],
      ['merchant', 'events.merchant.payment-changed.v1', 'events.merchant.payment-changed.v1'],
    ]) {
      const received = connections.gateway.subscribe(pattern, { max: 1 });
      await connections.gateway.flush();
      connections[app].publish(subject, text.encode('changed'));
      for await (const message of received) assert.equal(text.decode(message.data), 'changed');
    }
  });
  it('deliver changes of keys to gateway, and no other event', async () => {
    const received = connections.gateway.subscribe('events.merchant.api-key-changed.v1', { max: 1 });
    await connections.gateway.flush();
    connections.merchant.publish('events.merchant.api-key-changed.v1', text.encode('changed'));
    for await (const message of received) assert.equal(text.decode(message.data), 'changed');
    await subscribeRejected('gateway', 'events.merchant.>');
    await subscribeRejected('gateway', 'events.pay-orders.>');
  });
  it("an app cannot delete another's stream", () =>
    publishRejected('merchant', '$JS.API.STREAM.DELETE.PAY_ORDERS'));
  it("an app cannot change another's stream", () =>
    publishRejected('merchant', '$JS.API.STREAM.UPDATE.PAY_ORDERS'));
  it("an app cannot delete another's event", () =>
    publishRejected('merchant', '$JS.API.STREAM.MSG.DELETE.PAY_ORDERS'));
  it('reject the creation of other streams', () => publishRejected('merchant', '$JS.API.STREAM.CREATE.MINE'));
  it('reject a consumer under another name', () =>
    publishRejected('merchant', '$JS.API.CONSUMER.CREATE.PAY_ORDERS.stream-orders'));
  it("an app cannot take another consumer's events", () =>
    publishRejected('merchant', '$JS.API.CONSUMER.MSG.NEXT.PAY_ORDERS.stream-orders'));
  it("an app cannot acknowledge another consumer's events", () =>
    publishRejected('merchant', '$JS.ACK.PAY_ORDERS.stream-orders.1.1.1.1.0'));
  it("an app cannot delete another's consumer", () =>
    publishRejected('merchant', '$JS.API.CONSUMER.DELETE.PAY_ORDERS.stream-orders'));
});

describe('the replies that the server expects', () => {
  const events = 40_000;
  const requests = 2_000;

  /** Milliseconds for calls of the gateway to merchant, which replies to each. */
  async function timeCalls() {
    const [subject] = calls.gateway.filter((name) => name.startsWith('op.merchant.'));
    const answering = connections.merchant.subscribe(subject, {
      callback: (_error, message) => void message.respond(message.data),
    });
    await connections.merchant.flush();
    const startMs = performance.now();
    for (let sent = 0; sent < requests; sent += 200)
      await Promise.all(
        Array.from({ length: 200 }, () =>
          connections.gateway.request(subject, undefined, { timeout: 20_000 }),
        ),
      );
    answering.unsubscribe();
    return performance.now() - startMs;
  }

  /** Other work of the machine slows single measurements. */
  const fastest = async () => Math.min(await timeCalls(), await timeCalls(), await timeCalls());

  it('do not slow down an app that has acknowledged many events', async () => {
    await timeCalls();
    const beforeMs = await fastest();
    const jetstream = connections['pay-orders'].jetstream();
    for (let sent = 0; sent < events; sent += 500)
      await Promise.all(Array.from({ length: 500 }, () => jetstream.publish('events.pay-orders.many')));
    const manager = await connections.merchant.jetstreamManager({ checkAPI: false });
    const durable = 'merchant-orders';
    await manager.consumers.add('PAY_ORDERS', { durable_name: durable, ack_policy: AckPolicy.Explicit });
    const consumer = await connections.merchant.jetstream().consumers.get('PAY_ORDERS', durable);
    let acknowledged = 0;
    for await (const message of await consumer.consume({ max_messages: 500 })) {
      // Rejected and dead-lettered events are acknowledged like those that were handled.
      if (acknowledged % 3 === 0) message.term();
      else message.ack();
      if (++acknowledged === events) break;
    }
    const afterMs = await fastest();
    await manager.consumers.delete('PAY_ORDERS', durable);
    // When the server kept every acknowledgement, each delivery searched all of them: ten times slower with as many as here.
    assert.ok(afterMs < beforeMs * 4, `${requests} calls took ${afterMs} ms, before ${beforeMs} ms`);
  });

  it('give no reply permission to an app that only receives events', async () => {
    const listening = readFileSync(join(repository, 'deploy/nats/users.conf'), 'utf8');
    for (const app of apps.filter((name) => !natsApps[name].answers)) {
      const user = listening.split(`user: ${app}\n`)[1].split('user: ')[0];
      assert.doesNotMatch(user, /allow_responses/);
    }
    assert.doesNotMatch(listening, /\$JS\.ACK/);
  });
});

describe('passwords', () => {
  for (const [who, options] of /** @type {const} */ ([
    ['nobody', {}],
    ['an app with a wrong password', { user: 'merchant', pass: 'wrong' }],
    ["an app with another's password", { user: 'merchant', pass: 'pay-orders' }],
  ])) {
    it(`${who} is not let in`, async () => {
      const passwords = JSON.parse(servers.variables.TEST_NATS_PASSWORDS);
      const pass = 'pass' in options ? (passwords[options.pass] ?? options.pass) : undefined;
      const server = `127.0.0.1:${servers.variables.TEST_NATS_PORT}`;
      await assert.rejects(
        connect({ ...options, ...(pass && { pass }), servers: server, reconnect: false }),
        /Authorization/i,
      );
    });
  }
});
