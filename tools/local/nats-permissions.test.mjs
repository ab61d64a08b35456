import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AckPolicy, connect, StringCodec } from 'nats';
import { repository } from './directory.mjs';
import { natsApps, natsOperator, renderNatsUsers, streamOf } from './nats-users.mjs';
import { spawnTestServers } from './test-servers-process.mjs';

const text = StringCodec();
const apps = Object.keys(natsApps);
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
 * Does something that the server must refuse, and checks that it says so.
 * @param {string} user
 * @param {string} operation
 * @param {string} subject
 * @param {(connection: import('nats').NatsConnection) => unknown} act
 */
async function refused(user, operation, subject, act) {
  const connection = connections[user];
  /** @type {any} its type does not say that it can be stopped */
  const statuses = connection.status();
  const timer = setTimeout(() => statuses.stop(), 2_000);
  act(connection);
  await connection.flush();
  for await (const { type, permissionContext } of statuses) {
    if (type !== 'error' || permissionContext?.subject !== subject) continue;
    clearTimeout(timer);
    return assert.equal(permissionContext.operation, operation);
  }
  assert.fail(`${user} was not refused: ${operation} ${subject}`);
}

/** @param {string} user @param {string} subject */
const publishRefused = (user, subject) => refused(user, 'publish', subject, (nats) => nats.publish(subject));

/** @param {string} user @param {string} subject */
const subscribeRefused = (user, subject) =>
  // With a callback the library hands the refusal to that as well; without one it would throw.
  refused(user, 'subscription', subject, (nats) => nats.subscribe(subject, { callback: () => undefined }));

describe('deploy/nats/users.conf', () => {
  it('is what the table of users says', () => {
    const written = readFileSync(join(repository, 'deploy/nats/users.conf'), 'utf8');
    assert.equal(written, renderNatsUsers(), 'Run: node tools/nats-users.mjs');
  });
});

describe('requests', () => {
  it('every app asks every app, and is answered', async () => {
    for (const app of apps) {
      connections[app].subscribe(`op.${app}.echo`, {
        queue: app,
        callback: (_error, message) => void message.respond(message.data),
      });
      await connections[app].flush();
    }
    for (const from of apps) {
      for (const to of apps) {
        const reply = await connections[from].request(`op.${to}.echo`, text.encode(from), { timeout: 2_000 });
        assert.equal(text.decode(reply.data), from);
      }
    }
  });

  it('an app cannot answer for another', () => subscribeRefused('merchant', 'op.pay-orders.orders.create'));
  it('an app cannot listen to all requests', () => subscribeRefused('merchant', 'op.>'));
  it("an app cannot read another's replies", () => subscribeRefused('merchant', '_INBOX.gateway.>'));
  it('an app cannot read all replies', () => subscribeRefused('merchant', '_INBOX.>'));
  it("an app cannot write to another's inbox unasked", () =>
    publishRefused('merchant', '_INBOX.gateway.stolen.1'));
  it('an app cannot listen to everything', () => subscribeRefused('gateway', '>'));
  it('an app cannot see what the server says of others', () => subscribeRefused('gateway', '$SYS.>'));

  it('a request is answered once', async () => {
    const [asker, answerer] = [connections.gateway, connections.nanopay];
    /** @type {string[]} */
    const received = [];
    asker.subscribe('_INBOX.gateway.twice', {
      callback: (_error, message) => void received.push(text.decode(message.data)),
    });
    answerer.subscribe('op.nanopay.twice', {
      callback: (_error, message) => void message.respond(text.encode('first')),
    });
    await Promise.all([asker.flush(), answerer.flush()]);
    asker.publish('op.nanopay.twice', undefined, { reply: '_INBOX.gateway.twice' });
    while (received.length === 0) await asker.flush();
    await publishRefused('nanopay', '_INBOX.gateway.twice');
    assert.deepEqual(received, ['first']);
  });
});

describe('events', () => {
  it('an app makes its own stream and publishes into it', async () => {
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

  it('the account answers about itself', async () => {
    const info = await (await connections.stream.jetstreamManager()).getAccountInfo();
    assert.equal(info.streams, publishers.length);
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

  it('the stream hears of one set of transactions what the engine tells of it', async () => {
    const subject = 'events.tx-engine.transaction-updated.v1.one';
    const heard = new Promise((resolve) => {
      connections.stream.subscribe(subject, {
        callback: (_error, message) => resolve(text.decode(message.data)),
      });
    });
    await connections.stream.flush();
    connections['tx-engine'].publish(subject, text.encode('told'));
    assert.equal(await heard, 'told');
  });

  it('the stream hears nothing else', () => subscribeRefused('stream', 'events.tx-engine.>'));
  it('the stream publishes none', () => publishRefused('stream', 'events.stream.made'));
  it('the gateway publishes none, not even its own', () => publishRefused('gateway', 'events.gateway.made'));
  it('nobody but nanopay tells the enclave what has arrived, or who its caller owns', async () => {
    for (const user of ['gateway', 'merchant', 'stream'])
      await publishRefused(user, 'op.tee.money.credit-deposit');
    await publishRefused('pay-orders', 'op.tee.accounts.write-policy');
  });
  it("an app cannot publish another's", () => publishRefused('merchant', 'events.pay-orders.order-settled'));
  it('an app cannot listen past its consumers', () => subscribeRefused('merchant', 'events.>'));
  it('the gateway hears of keys that changed, and of nothing else', async () => {
    const heard = connections.gateway.subscribe('events.merchant.api-key-changed.v1', { max: 1 });
    await connections.gateway.flush();
    connections.merchant.publish('events.merchant.api-key-changed.v1', text.encode('changed'));
    for await (const message of heard) assert.equal(text.decode(message.data), 'changed');
    await subscribeRefused('gateway', 'events.merchant.>');
    await subscribeRefused('gateway', 'events.pay-orders.>');
  });
  it("an app cannot delete another's stream", () =>
    publishRefused('merchant', '$JS.API.STREAM.DELETE.PAY_ORDERS'));
  it("an app cannot change another's stream", () =>
    publishRefused('merchant', '$JS.API.STREAM.UPDATE.PAY_ORDERS'));
  it("an app cannot delete another's event", () =>
    publishRefused('merchant', '$JS.API.STREAM.MSG.DELETE.PAY_ORDERS'));
  it('an app cannot make other streams', () => publishRefused('merchant', '$JS.API.STREAM.CREATE.MINE'));
  it('an app cannot make a consumer under another name', () =>
    publishRefused('merchant', '$JS.API.CONSUMER.CREATE.PAY_ORDERS.stream-orders'));
  it("an app cannot take another consumer's events", () =>
    publishRefused('merchant', '$JS.API.CONSUMER.MSG.NEXT.PAY_ORDERS.stream-orders'));
  it("an app cannot acknowledge another consumer's events", () =>
    publishRefused('merchant', '$JS.ACK.PAY_ORDERS.stream-orders.1.1.1.1.0'));
  it("an app cannot delete another's consumer", () =>
    publishRefused('merchant', '$JS.API.CONSUMER.DELETE.PAY_ORDERS.stream-orders'));
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
