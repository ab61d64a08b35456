import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect, createInbox, headers, StringCodec } from 'nats';
import { repository } from './directory.mjs';
import { loadProduct } from '../docs/product.mjs';
import {
  declarationsOf,
  eventPermissionsOf,
  eventUser,
  natsApps,
  natsOperator,
  natsProvisioner,
  permissionsOf,
  readersOf,
  renderNatsUsers,
  renderStreams,
  streamOf,
} from './nats-users.mjs';
import { spawnTestServers } from './test-servers-process.mjs';

const text = StringCodec();
const apps = Object.keys(natsApps);
const { api, bus, features, internalFeatures } = loadProduct();
const declared = declarationsOf(api);
const { calls, streams } = declared;
const operations = [...features, ...internalFeatures].flatMap((feature) => Object.values(feature.operations));
const publishers = streams.map(({ app }) => app);
/** Each durable consumer with the app that it belongs to. */
const consumers = streams.flatMap(({ app: source, consumers: durables }) =>
  durables.map(({ name }) => ({ name, source, app: apps.find((app) => name.startsWith(`${app}-`)) })),
);

/** @type {Awaited<ReturnType<typeof spawnTestServers>>} */
let servers;
/** Connections by user name, for calls and for events. @type {Record<string, import('nats').NatsConnection>} */
const connections = {};
/** Users of the account for calls, and users that have an account for events. */
const callers = [...apps, natsOperator];
const withEvents = [...apps, natsProvisioner].filter((user) => eventPermissionsOf(user, declared) !== 'none');

/** JetStream with the API prefix that the users of the deployment have. @param {string} user */
const jetstreamOf = (user) => connections[eventUser(user)].jetstream({ apiPrefix: 'js' });

/** @param {string} user */
const managerOf = (user) =>
  connections[eventUser(user)].jetstreamManager({ apiPrefix: 'js', checkAPI: false });

async function provision() {
  const provisioner = await openApp(natsProvisioner, 'openEvents');
  for (const stream of streams) await bus.provisionStream(provisioner, stream);
  await provisioner.close();
}

/** @param {string} app @param {'open' | 'openEvents'} [how] */
function openApp(app, how = 'open') {
  const passwords = JSON.parse(servers.variables.TEST_NATS_PASSWORDS);
  const url = `nats://${app}:${passwords[app]}@127.0.0.1:${servers.variables.TEST_NATS_PORT}`;
  return bus.BusConnection[how]({ app, url });
}

before(async () => {
  servers = await spawnTestServers();
  const passwords = JSON.parse(servers.variables.TEST_NATS_PASSWORDS);
  const server = `127.0.0.1:${servers.variables.TEST_NATS_PORT}`;
  const open = (/** @type {string} */ user, /** @type {string} */ owner) =>
    connect({ servers: server, user, pass: passwords[owner], inboxPrefix: `_INBOX.${owner}` });
  for (const user of callers) connections[user] = await open(user, user);
  for (const user of [...withEvents, natsOperator])
    connections[eventUser(user)] = await open(eventUser(user), user);
  await provision();
});

after(async () => {
  await Promise.all(Object.values(connections).map((connection) => connection.close()));
  await servers?.stop();
});

/**
 * Performs an action that the server must reject, and verifies its error.
 * @param {string} user
 * @param {string} operation
 * @param {string} subject
 * @param {(connection: import('nats').NatsConnection) => unknown} act
 */
async function rejected(user, operation, subject, act) {
  const connection = connections[user];
  /** @type {any} its type lacks the method `stop` */
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
 * Subscribes to all subjects, and returns those that the server rejected.
 * @param {import('nats').NatsConnection} connection
 * @param {string[]} subjects
 */
async function rejectedSubscriptions(connection, subjects) {
  const rejected = new Set();
  const opened = subjects.map((subject) =>
    // If there is a callback, the library passes the error to it.
    connection.subscribe(subject, { callback: (error) => error && rejected.add(subject) }),
  );
  // The server replies in order.
  await connection.flush();
  for (const subscription of opened) subscription.unsubscribe();
  return rejected;
}

/**
 * Publishes to all subjects, and returns those that the server rejected.
 * @param {import('nats').NatsConnection} connection
 * @param {string[]} subjects
 */
async function rejectedSubjects(connection, subjects) {
  const end = `op.end.${Math.random()}`;
  /** @type {any} its type lacks the method `stop` */
  const statuses = connection.status();
  for (const subject of [...subjects, end]) connection.publish(subject);
  const rejected = new Set();
  for await (const { type, permissionContext } of statuses) {
    if (type !== 'error') continue;
    // The server replies in order, so all earlier subjects have been checked.
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
  // If there is a callback, the library also passes the error to it. Without a callback it would throw.
  rejected(user, 'subscription', subject, (nats) => nats.subscribe(subject, { callback: () => undefined }));

describe('deploy/nats/users.conf', () => {
  it('matches the table of users', () => {
    const written = readFileSync(join(repository, 'deploy/nats/users.conf'), 'utf8');
    assert.equal(written, renderNatsUsers(declared), 'Run: node tools/nats-users.mjs');
  });

  it('comes with an up-to-date streams.json', () => {
    const written = readFileSync(join(repository, 'deploy/nats/streams.json'), 'utf8');
    assert.equal(written, renderStreams(api, bus), 'Run: node tools/nats-users.mjs');
  });

  it('contains neither the user of the sandbox app nor calls to it if the app is omitted', () => {
    const written = renderNatsUsers(declared, { without: ['sandbox'] });
    assert.doesNotMatch(written, /sandbox/i);
    for (const app of apps.filter((name) => name !== 'sandbox'))
      assert.ok(written.includes(`user: ${app}\n`), app);
  });

  it('gives an external program its own consumers, and no calls', () => {
    const written = renderNatsUsers(declared, { readers: { analytics: ['pay-orders'] } });
    const [, account] = written.split('\n  ANALYTICS {\n');
    const granted = [...account.matchAll(/subject: "([^"]+)"/g)].map(([, subject]) => subject);
    assert.deepEqual(granted, [
      '$JS.API.CONSUMER.INFO.PAY_ORDERS.analytics-pay-orders',
      '$JS.API.CONSUMER.MSG.NEXT.PAY_ORDERS.analytics-pay-orders',
      '$JS.ACK.PAY_ORDERS.analytics-pay-orders.>',
    ]);
    assert.doesNotMatch(written, /user: analytics\n/);
  });

  it('rejects a program name that would match the consumers of an app or of another program', () => {
    const named = (/** @type {string[]} */ ...names) =>
      readersOf(
        names.map((name) => `${name}=pay-orders`),
        streams,
      );
    assert.deepEqual(named('analytics', 'payroll'), { analytics: ['pay-orders'], payroll: ['pay-orders'] });
    for (const name of ['merchant', 'service', 'merchant-export', 'operator', 'calls'])
      assert.throws(() => named(name), /Choose another name/, name);
    assert.throws(() => named('analytics', 'analytics'), /analytics begins like analytics/);
    assert.throws(() => named('export', 'export-daily'), /Choose another name/);
    assert.throws(() => readersOf(['analytics=shop'], streams), /expected NAME=APP/);
  });

  it('lets apps reply to any subject only while 0.1.0 also runs, and then longer than any caller waits', () => {
    assert.doesNotMatch(renderNatsUsers(declared), /allow_responses/);
    const written = renderNatsUsers(declared, { isUpgrading: true });
    // With such a permission, the server would keep the subjects of replies forever.
    assert.doesNotMatch(written, /"_INBOX\.[a-z-]+\.[a-z-]+\.>"/);
    const periods = [...written.matchAll(/expires: "(\d+)m"/g)].map(([, minutes]) => Number(minutes));
    const longestMs = Math.max(...operations.map(({ timeoutMs }) => timeoutMs));
    assert.ok(periods.length > 0);
    for (const minutes of periods) assert.ok(minutes * 60_000 > longestMs, `${minutes} min, ${longestMs} ms`);
  });

  it('permits the second publication of purchases only to service-api, and only while 0.1.0 also runs', () => {
    assert.doesNotMatch(renderNatsUsers(declared), /announced/);
    const announced = 'announced.events.service-api.purchase-changed.>';
    for (const app of apps) {
      const { publish, subscribe } = permissionsOf(app, declared, { isUpgrading: true });
      const permitted = [publish, subscribe].map((subjects) => subjects.includes(announced));
      assert.deepEqual(permitted, [app === 'service-api', app === 'service-api'], app);
    }
  });
});

/** @param {object} request */
const json = (request) => text.encode(JSON.stringify(request));

/**
 * The options of a call, with the inbox where the caller expects the reply.
 * @param {string} caller
 * @param {string} callee
 */
const replyAt = (caller, callee) => ({
  timeout: 20_000,
  noMux: true,
  reply: createInbox(`_INBOX.${caller}.${callee}`),
});

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
        ...(natsApps[app].hasJobs ? [`op.${app}.outbox-written`] : []),
      ];
      assert.deepEqual(allowed, [...new Set(declared)].sort(), `the calls of ${app}`);
    }
  });

  it('let an app with operations call itself, so that it can verify its connection', async () => {
    const faultsOf = async (/** @type {string} */ app) => {
      const connection = await openApp(app);
      const faults = [];
      new bus.BusWatch(connection, { answersCalls: true, onFault: ({ reason }) => faults.push(reason) });
      // The app reacts to a rejected message with a call to itself.
      connection.nats.publish('op.merchant.invented.operation');
      await connection.nats.flush();
      await new Promise((resolve) => setTimeout(resolve, 200));
      await connection.close();
      return faults;
    };
    for (const app of apps)
      assert.deepEqual(await faultsOf(app), natsApps[app].answers ? [] : ['own call failed'], app);
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
      const reply = await connections[from].request(subject, text.encode(from), replyAt(from, to));
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

  it('let each app write exactly to the inboxes that its callers have for it', async () => {
    const subjects = [natsProvisioner, natsOperator, ...apps].flatMap((caller) => [
      `_INBOX.${caller}.random.1`,
      ...apps.map((callee) => `_INBOX.${caller}.${callee}.random.1`),
    ]);
    for (const app of apps) {
      const rejected = await rejectedSubjects(connections[app], subjects);
      const calls = (/** @type {string} */ caller) =>
        caller === app ||
        caller === natsOperator ||
        operations.some(
          ({ app: callee, subject }) => callee === app && api.callAccess(caller, subject) !== 'none',
        ) ||
        (app === 'tee' && natsApps[caller]?.sendsPayments);
      const declared = [natsOperator, ...apps].filter((caller) => natsApps[app].answers && calls(caller));
      assert.deepEqual(
        subjects.filter((subject) => !rejected.has(subject)).sort(),
        declared.map((caller) => `_INBOX.${caller}.${app}.random.1`).sort(),
        app,
      );
    }
  });
});

describe('events', () => {
  it('allow an app to publish into its own stream', async () => {
    for (const app of publishers) {
      const jetstream = jetstreamOf(app);
      const publish = () => jetstream.publish(`events.${app}.made`, text.encode(app), { msgID: app });
      assert.deepEqual([(await publish()).stream, (await publish()).duplicate], [streamOf(app), true]);
      const manager = await managerOf(app);
      assert.equal((await manager.streams.info(streamOf(app))).config.name, streamOf(app));
      const { time } = await manager.streams.getMessage(streamOf(app), { seq: 1 });
      assert.ok(Date.now() - time.getTime() < 600_000);
    }
  });

  it('allow an app to list the consumers of its own stream', async () => {
    const own = await managerOf('pay-orders');
    const [consumer] = await own.consumers.list('PAY_ORDERS').next();
    assert.equal(consumer.name, 'merchant-orders');
  });

  it('use consumer names that begin with an app, and belong to declared streams', () => {
    assert.deepEqual(
      consumers.filter(({ app }) => app === undefined),
      [],
    );
    assert.ok(consumers.length > 0);
  });

  it('carry a signature for every app that receives them through a consumer or a subscription', () => {
    for (const { app: source, receivers } of api.declaredStreams) {
      const subscribers = apps.filter((app) =>
        natsApps[app].subscribes?.some((subject) => subject.includes(`events.${source}.`)),
      );
      const durable = consumers.filter((consumer) => consumer.source === source).map(({ app }) => app);
      assert.deepEqual([...receivers].sort(), [...new Set([...durable, ...subscribers])].sort(), source);
    }
  });

  for (const { name, source, app } of consumers) {
    it(`${app} consumes by ${name}`, async () => {
      await jetstreamOf(source).publish(subjectFor(name, source), text.encode(name));
      const consumer = await jetstreamOf(app).consumers.get(streamOf(source), name);
      const messages = await consumer.consume({ max_messages: 1 });
      for await (const message of messages) {
        assert.equal(await message.ackAck(), true);
        if (text.decode(message.data) === name) messages.stop();
      }
    });
  }

  it('deliver the updates of one set of transactions to stream', async () => {
    const subject = 'events.tx-engine.transaction-updated.v1.one';
    const received = new Promise((resolve) => {
      connections.stream.subscribe(subject, {
        callback: (_error, message) => resolve(text.decode(message.data)),
      });
    });
    await connections.stream.flush();
    connections[eventUser('tx-engine')].publish(subject, text.encode('updated'));
    assert.equal(await received, 'updated');
  });

  it('reject other subscriptions of stream', () => subscribeRejected('stream', 'events.tx-engine.>'));
  it('reject events of stream', () => publishRejected('stream', 'events.stream.made'));
  it('reject events of gateway', () => publishRejected('gateway', 'events.gateway.made'));
  it("an app cannot publish another's", () =>
    publishRejected(eventUser('merchant'), 'events.pay-orders.order-settled'));
  it('cannot be published by a user for calls', () =>
    publishRejected('merchant', 'events.merchant.payment-changed.v1'));
  it('reject a subscription to events without a consumer', () => subscribeRejected('merchant', 'events.>'));
  it('deliver changes of orders and payments to gateway', async () => {
    for (const [app, pattern, subject] of [
      ['pay-orders', 'events.pay-orders.*.v1', 'events.pay-orders.order-settled.v1'],
      ['merchant', 'events.merchant.payment-changed.v1', 'events.merchant.payment-changed.v1'],
    ]) {
      const received = connections.gateway.subscribe(pattern, { max: 1 });
      await connections.gateway.flush();
      connections[eventUser(app)].publish(subject, text.encode('changed'));
      for await (const message of received) assert.equal(text.decode(message.data), 'changed');
    }
  });
  it('deliver changes of keys to gateway, and no other event', async () => {
    const received = connections.gateway.subscribe('events.merchant.api-key-changed.v1', { max: 1 });
    await connections.gateway.flush();
    connections[eventUser('merchant')].publish('events.merchant.api-key-changed.v1', text.encode('changed'));
    for await (const message of received) assert.equal(text.decode(message.data), 'changed');
    await subscribeRejected('gateway', 'events.merchant.>');
    await subscribeRejected('gateway', 'events.pay-orders.>');
  });
  it('deliver changes of purchases to service-api, and no other event', async () => {
    const subject = 'events.service-api.purchase-changed.v1';
    const received = connections['service-api'].subscribe(subject, { max: 1 });
    await connections['service-api'].flush();
    const { seq } = await jetstreamOf('service-api').publish(subject, text.encode('changed'));
    assert.ok(seq > 0);
    for await (const message of received) assert.equal(text.decode(message.data), 'changed');
    await subscribeRejected('service-api', 'events.service-api.>');
    await publishRejected('service-api', subject);
  });
  it("an app cannot acknowledge another consumer's events", () =>
    publishRejected(eventUser('merchant'), '$JS.ACK.PAY_ORDERS.stream-orders.1.1.1.1.0'));
});

/** Returns a subject of the stream that the consumer receives. */
function subjectFor(name, source) {
  const { subject } = streams
    .find(({ app }) => app === source)
    .consumers.find((consumer) => consumer.name === name);
  return subject?.replace('*', 'one') ?? `events.${source}.made`;
}

describe('JetStream', () => {
  // Streams of another team, and names that an attacker may try.
  const otherStreams = ['ANALYTICS', 'KV_secrets', 'OBJ_files', '*', 'MINE'];
  const otherConsumers = ['stream-orders', 'thief', '*'];

  before(async () => {
    const manager = await managerOf(natsOperator);
    await manager.streams.add({ name: 'ANALYTICS', subjects: ['analytics.>'] });
    await manager.streams.add({ name: 'KV_secrets', subjects: ['$KV.secrets.>'], allow_direct: true });
  });

  /** Every JetStream API request to each existing stream and consumer, and to some that do not exist. */
  function everyRequest() {
    const names = [...publishers.map(streamOf), ...otherStreams];
    const durables = [...consumers.map(({ name }) => name), ...otherConsumers];
    const ofAccount = [
      'INFO',
      'STREAM.NAMES',
      'STREAM.LIST',
      'STREAM.TEMPLATE.NAMES',
      'META.LEADER.STEPDOWN',
    ];
    const actions = [
      ...['CREATE', 'UPDATE', 'DELETE', 'INFO', 'PURGE', 'SNAPSHOT', 'RESTORE', 'MSG.GET', 'MSG.DELETE'],
      ...['LEADER.STEPDOWN', 'PEER.REMOVE'],
    ];
    const ofStream = (/** @type {string} */ stream) => [
      ...actions.map((action) => `STREAM.${action}.${stream}`),
      ...[`DIRECT.GET.${stream}`, `DIRECT.GET.${stream}.op.merchant.keys.authenticate`],
      ...[`CONSUMER.CREATE.${stream}`, `CONSUMER.NAMES.${stream}`, `CONSUMER.LIST.${stream}`],
      ...durables.flatMap((durable) => ofConsumer(stream, durable)),
    ];
    const ofConsumer = (/** @type {string} */ stream, /** @type {string} */ durable) => [
      ...['CREATE', 'DURABLE.CREATE', 'INFO', 'DELETE', 'MSG.NEXT', 'PAUSE', 'UNPIN', 'LEADER.STEPDOWN'].map(
        (action) => `CONSUMER.${action}.${stream}.${durable}`,
      ),
      `CONSUMER.CREATE.${stream}.${durable}.events.pay-orders.>`,
    ];
    const requests = [...ofAccount, ...names.flatMap(ofStream)].flatMap((request) => [
      `$JS.API.${request}`,
      `js.${request}`,
    ]);
    // Subjects of other domains and accounts, of the server and of key-value stores, and inboxes of other users.
    const others = [
      '$JS.hub.API.STREAM.NAMES',
      '$JS.API.ACCOUNT.PURGE.$G',
      '$JS.API.ACCOUNT.PURGE.STREAMS',
      ...consumers.map(({ name, source }) => `$JS.ACK.${streamOf(source)}.${name}.1.1.1.1.0`),
    ];
    return [
      ...requests,
      ...others,
      '$SYS.REQ.SERVER.PING',
      '$SYS.REQ.USER.INFO',
      '$KV.secrets.a',
      '$O.files.a',
    ];
  }

  for (const user of apps) {
    it(`accepts no request of ${user} on its connection for calls`, async () => {
      const denied = await rejectedSubjects(connections[user], everyRequest());
      assert.deepEqual(
        everyRequest().filter((subject) => !denied.has(subject)),
        [],
      );
    });
  }

  for (const user of withEvents) {
    it(`accepts exactly the declared requests of ${user}`, async () => {
      const permitted = eventPermissionsOf(user, declared)
        .publish.filter((subject) => /^(?:\$|js\.)/.test(subject))
        .map((subject) => subject.replace('>', '1.1.1.1.0'));
      // If subjects are mapped, the server's rejection contains the mapped subject.
      const isNamed = (/** @type {string} */ subject) => user !== natsProvisioner || subject.startsWith('$');
      const requests = [...new Set([...everyRequest(), ...permitted])].filter(isNamed);
      const denied = await rejectedSubjects(connections[eventUser(user)], requests);
      const accepted = requests.filter((subject) => !denied.has(subject)).sort();
      assert.deepEqual(accepted, permitted.filter(isNamed).sort());
    });
  }

  it('lets apps read, purge and list only their own stream, and pull only from their own consumers', () => {
    const request = /^js\.(?:STREAM\.(?:INFO|MSG\.GET|PURGE)|CONSUMER\.LIST)\.([A-Z_]+)$/;
    const pull = /^(?:js\.CONSUMER\.(?:INFO|MSG\.NEXT)|\$JS\.ACK)\.[A-Z_]+\.([a-z-]+)(?:\.>)?$/;
    for (const app of withEvents.filter((user) => user !== natsProvisioner)) {
      const { publish } = eventPermissionsOf(app, declared);
      for (const subject of publish.filter((name) => name !== `events.${app}.>`)) {
        const isOwnStream = request.exec(subject)?.[1] === streamOf(app) && publishers.includes(app);
        const isOwnConsumer = pull.exec(subject)?.[1]?.startsWith(`${app}-`) ?? false;
        assert.ok(isOwnStream || isOwnConsumer, `${app}: ${subject}`);
      }
    }
  });

  const subscriptions = [
    ...['>', '*', 'op.>', 'events.>', '_INBOX.>', '$JS.>', '$JS.API.>', '$JS.EVENT.>', '$SYS.>', '$KV.>'],
    ...apps.flatMap((app) => [`op.${app}.>`, `_INBOX.${app}.>`, `events.${app}.>`]),
  ];
  for (const [user, permissions] of [
    ...apps.map((app) => [app, permissionsOf(app, declared)]),
    ...withEvents.map((app) => [eventUser(app), eventPermissionsOf(app, declared)]),
  ]) {
    it(`delivers to ${user} exactly the subjects that it may subscribe to`, async () => {
      const permitted = permissions.subscribe;
      const wanted = [...new Set([...subscriptions, ...permitted])];
      const denied = await rejectedSubscriptions(connections[user], wanted);
      assert.deepEqual(wanted.filter((subject) => !denied.has(subject)).sort(), [...permitted].sort());
    });
  }
});

describe('a thief of one credential', () => {
  const marked = () => {
    const marks = headers();
    marks.set('stolen', 'yes');
    return marks;
  };

  /** Sends requests that the server must not execute, on both connections and with both prefixes. */
  async function attack(user, requests) {
    for (const connection of [connections[user], connections[eventUser(user)]]) {
      for (const [subject, request] of requests)
        for (const name of [subject, subject.replace('$JS.API.', 'js.')])
          connection.publish(name, json(request));
      await connection.flush();
    }
  }

  it('cannot read calls, replies and secrets through its own stream', async () => {
    for (const user of publishers) {
      const name = streamOf(user);
      const subjects = ['op.>', '_INBOX.gateway.>'];
      const config = { name, subjects, no_ack: true, storage: 'file', retention: 'limits' };
      await attack(user, [
        [`$JS.API.STREAM.UPDATE.${name}`, config],
        [`$JS.API.STREAM.DELETE.${name}`, {}],
        [`$JS.API.STREAM.CREATE.${name}`, config],
        ['$JS.API.STREAM.CREATE.MINE', { ...config, name: 'MINE' }],
        ['$JS.API.STREAM.CREATE.MINE', { name: 'MINE', sources: [{ name: 'MERCHANT' }] }],
      ]);
    }
    const manager = await managerOf(natsOperator);
    const found = await manager.streams.list().next();
    for (const app of publishers)
      assert.deepEqual(found.find(({ config }) => config.name === streamOf(app)).config.subjects, [
        `events.${app}.>`,
      ]);
    assert.equal(
      found.find(({ config }) => config.name === 'MINE'),
      undefined,
    );
  });

  it('cannot publish as another app through its own stream or consumer', async () => {
    const dest = 'events.pay-orders.order-settled.v1';
    const name = 'TX_ENGINE';
    const manager = await managerOf(natsOperator);
    const last = async () => (await manager.streams.info('PAY_ORDERS')).state.last_seq;
    const before = await last();
    const config = { name, subjects: ['events.tx-engine.>'], republish: { src: '>', dest } };
    const push = { deliver_subject: dest, ack_policy: 'none', durable_name: 'tx-engine-own' };
    await attack('tx-engine', [
      [`$JS.API.STREAM.UPDATE.${name}`, config],
      [`$JS.API.STREAM.DELETE.${name}`, {}],
      [`$JS.API.STREAM.CREATE.${name}`, config],
      [`$JS.API.CONSUMER.CREATE.${name}`, { stream_name: name, config: push }],
      [`$JS.API.CONSUMER.CREATE.${name}.tx-engine-own`, { stream_name: name, config: push }],
      [`$JS.API.CONSUMER.DURABLE.CREATE.${name}.tx-engine-own`, { stream_name: name, config: push }],
    ]);
    await jetstreamOf('tx-engine').publish('events.tx-engine.transaction-updated.v1.a', json({}));
    assert.equal((await manager.streams.info(name)).config.republish, undefined);
    const names = (await manager.consumers.list(name).next()).map((consumer) => consumer.name);
    assert.deepEqual(names, ['merchant-transactions']);
    assert.equal(await last(), before);
  });

  it('cannot reply to itself at a subject of its choice', async () => {
    const manager = await managerOf(natsOperator);
    await jetstreamOf('merchant').publish('events.merchant.api-key-changed.v1', json({}));
    const before = (await manager.streams.info('MERCHANT')).state;
    for (const user of apps.filter((app) => natsApps[app].hasJobs)) {
      const other = user === 'merchant' ? 'pay-orders' : 'merchant';
      const foreign = [
        '$JS.API.STREAM.PURGE.MERCHANT',
        `$JS.API.STREAM.DELETE.${streamOf(other === 'merchant' ? other : user)}`,
        `events.${other}.forged.v1`,
        `op.${other}.outbox-written`,
        `_INBOX.gateway.${other}.random.1`,
        '_INBOX.gateway.random.1',
      ].filter((subject) => !(user === 'merchant' && subject.endsWith('.PURGE.MERCHANT')));
      const subject = `op.${user}.outbox-written`;
      /** @type {string[]} */
      const stolen = [];
      const trap = connections[natsOperator].subscribe('>', {
        callback: (_error, message) => message.headers?.has('stolen') && stolen.push(message.subject),
      });
      await connections[natsOperator].flush();
      const own = connections[user].subscribe(subject, {
        callback: (_error, message) => void message.respond(json({}), { headers: marked() }),
      });
      await connections[user].flush();
      for (const reply of foreign) connections[user].publish(subject, undefined, { reply });
      for (let round = 0; round < 3; round++) await connections[user].flush();
      await connections[natsOperator].flush();
      own.unsubscribe();
      trap.unsubscribe();
      assert.deepEqual(stolen, [], user);
    }
    const { messages, last_seq: last } = (await manager.streams.info('MERCHANT')).state;
    assert.deepEqual([messages, last], [before.messages, before.last_seq]);
  });

  it('cannot direct a reply of JetStream to a subject of its choice', async () => {
    const operator = connections[eventUser(natsOperator)];
    const manager = await managerOf(natsOperator);
    for (const app of publishers) await jetstreamOf(app).publish(`events.${app}.made`, json({}));
    const statesOf = async () => {
      const all = await manager.streams.list().next();
      return all.map(({ config: { name }, state }) => [name, state.first_seq, state.messages]);
    };
    for (const user of withEvents.filter((app) => app !== natsProvisioner)) {
      const own = publishers.includes(user) ? streamOf(user) : '';
      const others = publishers.filter((app) => app !== user);
      const foreign = [
        ...others.flatMap((app) => [
          ...['PURGE', 'DELETE', 'MSG.DELETE'].map((action) => `$JS.API.STREAM.${action}.${streamOf(app)}`),
          ...[`js.STREAM.PURGE.${streamOf(app)}`, `events.${app}.forged.v1`, `op.${app}.outbox-written`],
        ]),
        ...[`$JS.API.STREAM.DELETE.${own}`, `$JS.API.STREAM.MSG.DELETE.${own}`],
        ...['_INBOX.gateway.merchant.random.1', 'events.pay-orders.order-settled.v1', 'analytics.forged'],
      ].filter((subject) => !subject.startsWith(`events.${user}.`));
      // All requests that make the server reply: confirmations of events, states, pulled events, acknowledgements.
      const requests = eventPermissionsOf(user, declared)
        .publish.map((subject) => subject.replace('>', 'made'))
        .filter((subject) => !subject.startsWith('js.STREAM.PURGE'));
      /** @type {string[]} */
      const stolen = [];
      const see = (_error, { subject }) => foreign.includes(subject) && stolen.push(subject);
      const traps = [operator, connections[natsOperator]].map((nats) =>
        nats.subscribe('>', { callback: see }),
      );
      const before = await statesOf();
      stolen.splice(0);
      for (const reply of foreign)
        for (const subject of requests)
          for (const body of [
            json({ batch: 10, expires: 1e9 }),
            text.encode('+NXT {"batch":1}'),
            json({ seq: 2 }),
          ])
            connections[eventUser(user)].publish(subject, body, { reply });
      for (let round = 0; round < 5; round++)
        for (const nats of [connections[eventUser(user)], operator, connections[natsOperator]])
          await nats.flush();
      await new Promise((resolve) => setTimeout(resolve, 200));
      for (const trap of traps) trap.unsubscribe();
      assert.deepEqual(stolen, [], user);
      const isOther = ([name]) => name !== own;
      assert.deepEqual((await statesOf()).filter(isOther), before.filter(isOther), user);
      const firstOf = (states) => states.find(([name]) => name === own)?.[1];
      assert.equal(firstOf(await statesOf()), firstOf(before), user);
    }
    // Deletes the consumers, because unacknowledged events would be delivered again after a minute.
    for (const { name, source } of consumers) await manager.consumers.delete(streamOf(source), name);
    await provision();
  });

  it('cannot answer a call to another app', async () => {
    const caller = await openApp('gateway');
    const client = new bus.BusClient(caller, bus.developmentIdentity('gateway'));
    const thief = connections['pay-orders'];
    const operation = operations.find(
      ({ app, subject }) => app === 'merchant' && calls.gateway.includes(subject),
    );
    /** @type {string[]} */
    const replies = [];
    // Covers an attacker who knows the reply subject.
    const answering = connections.merchant.subscribe(operation.subject, {
      callback: async (_error, { reply }) => {
        replies.push(reply);
        await publishRejected('pay-orders', reply);
        const own = reply.replace('.merchant.', '.pay-orders.');
        thief.publish(own, json({ forged: true }));
        await thief.flush();
        connections.merchant.publish(reply, json({ forged: false }));
      },
    });
    await connections.merchant.flush();
    assert.deepEqual(await client.call(operation, {}), { forged: false });
    assert.match(replies[0], /^_INBOX\.gateway\.merchant\./);
    answering.unsubscribe();
    client.close();
    await caller.close();
  });

  it('cannot list the names of streams', async () => {
    for (const user of [...apps, ...withEvents.map(eventUser)])
      await publishRejected(user, '$JS.API.STREAM.NAMES');
  });
});

describe('the replies that the server expects', () => {
  const events = 40_000;
  const requests = 2_000;

  /** Measures the calls of the gateway to merchant in milliseconds. Merchant replies to each call. */
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
          connections.gateway.request(subject, undefined, replyAt('gateway', 'merchant')),
        ),
      );
    answering.unsubscribe();
    return performance.now() - startMs;
  }

  /** The minimum of several measurements, because other processes of the machine can slow down single ones. */
  const fastest = async () => Math.min(await timeCalls(), await timeCalls(), await timeCalls());

  it('do not slow down an app that has acknowledged many events', async () => {
    await timeCalls();
    const beforeMs = await fastest();
    const jetstream = jetstreamOf('pay-orders');
    for (let sent = 0; sent < events; sent += 500)
      await Promise.all(
        Array.from({ length: 500 }, () => jetstream.publish('events.pay-orders.many', json({}))),
      );
    const durable = 'merchant-orders';
    const consumer = await jetstreamOf('merchant').consumers.get('PAY_ORDERS', durable);
    let acknowledged = 0;
    for await (const message of await consumer.consume({ max_messages: 500 })) {
      // Rejected and dead-lettered events are acknowledged like processed events.
      if (acknowledged % 3 === 0) message.term();
      else message.ack();
      if (++acknowledged === events) break;
    }
    let afterMs = await fastest();
    // If the server kept every acknowledgement, each delivery would search all of them. With this number of events,
    // every delivery would be ten times slower. Other load on the machine disturbs fewer than six tries.
    for (let tries = 1; afterMs >= beforeMs * 4 && tries < 6; tries++) afterMs = await fastest();
    assert.ok(afterMs < beforeMs * 4, `${requests} calls took ${afterMs} ms, before ${beforeMs} ms`);
  });
});

describe('passwords', () => {
  for (const [who, options] of /** @type {const} */ ([
    ['an anonymous client', {}],
    ['an app with a wrong password', { user: 'merchant', pass: 'wrong' }],
    ["an app with another's password", { user: 'merchant', pass: 'pay-orders' }],
  ])) {
    it(`rejects the connection of ${who}`, async () => {
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
