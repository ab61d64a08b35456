import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { headers as natsHeaders, type Msg, type MsgHdrs } from 'nats';
import { BusClient, type BusClientOptions } from './bus-client';
import { BusConnection } from './bus-connection';
import { BusServer, type BusServerOptions } from './bus-server';
import { callContext, type CallContext } from '../calls/call-context';
import { DomainError } from '../errors/domain-error';
import { ListOf, Nested, Text } from '../declarations/fields';
import { Handles } from '../declarations/handlers';
import { internalFeature, internalOperation } from '../declarations/operation';
import { RpcExceptionFilter } from '../errors/rpc-exception.filter';
import { CallRejectedError, developmentIdentity } from './service-identity';
import { closing } from '../testing/closing';
import { gate, randomApp, sharedNatsUrl } from '../testing/shop';
import { contextHeaders, encodeContext, failureHeader, sealHeader } from '../declarations/wire';

const url = sharedNatsUrl();
const { closeLater, closeAll } = closing();
afterEach(closeAll);

class Key {
  @Text('Name of the key')
  name: string;
  @Text('The key', { isSecret: true, optional: true })
  secret?: string;
}
class KeyWish {
  @Nested(() => Key, 'Key to store')
  key: Key;
}
class KeyRing {
  @ListOf(() => Key, 'Keys', { maxItems: 10 })
  keys: Key[];
}

const vaultApi = (app: string) =>
  internalFeature(app, 'keys', {
    store: internalOperation({ summary: 'Store', input: KeyWish, output: KeyRing }),
  });

type Respond = (wish: KeyWish, context: CallContext) => KeyRing | Promise<KeyRing>;
const echo: Respond = ({ key }) => ({ keys: [key, { name: 'no secret' }] });

const secret = 'tb_test_sk_0123456789abcdefghijklmnop';
const wish: KeyWish = { key: { name: 'till', secret } };
const inAnHour = () => Date.now() + 3_600_000;

async function openVault(
  respond: Respond = echo,
  options: Partial<BusServerOptions> = {},
): Promise<{ app: string; rejections: string[] }> {
  const app = randomApp();
  const rejections: string[] = [];
  @Controller()
  @Handles(vaultApi(app))
  class Keys {
    async store(input: KeyWish, context: CallContext): Promise<KeyRing> {
      return respond(input, context);
    }
  }
  @Module({ controllers: [Keys] })
  class VaultModule {}
  const bus = closeLater(await BusConnection.open({ app, url }));
  const hooks = { onRejected: ({ reason }: CallRejectedError) => void rejections.push(reason) };
  const strategy = new BusServer(bus, { identity: developmentIdentity(app), hooks, ...options });
  const logger = { strategy, logger: false, abortOnError: false } as const;
  const nest = closeLater(await NestFactory.createMicroservice(VaultModule, logger));
  nest.useGlobalFilters(new RpcExceptionFilter());
  await nest.listen();
  return { app, rejections };
}

/** Opens a bus connection and a client for a caller. */
async function openClient(
  options: BusClientOptions = {},
): Promise<{ bus: BusConnection; client: BusClient; rejections: string[] }> {
  const rejections: string[] = [];
  const bus = closeLater(await BusConnection.open({ app: randomApp(), url }));
  const onRejectedReply = ({ reason }: CallRejectedError): void => void rejections.push(reason);
  const client = new BusClient(bus, developmentIdentity('gateway'), undefined, {
    onRejectedReply,
    ...options,
  });
  return { bus, client: closeLater(client), rejections };
}

/** Collects every message on the bus, with the view of an operator. */
async function tap(subjects = '>'): Promise<Msg[]> {
  const messages: Msg[] = [];
  const reader = closeLater(await BusConnection.open({ app: randomApp(), url }));
  reader.nats.subscribe(subjects, { callback: (_error, message) => void messages.push(message) });
  await reader.nats.flush();
  return messages;
}

const textOf = ({ subject, headers, data }: Msg): string =>
  `${subject} ${[...(headers ?? [])].flat(2).join(' ')} ${Buffer.from(data).toString('latin1')}`;

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error) => (error as DomainError).code,
  );

describe('a call of an operation with secrets', () => {
  it('contains no unencrypted secret in its body, its reply or a header', async () => {
    const { app } = await openVault();
    const { bus, client } = await openClient();
    const messages = await tap();
    const reply = await client.call(vaultApi(app).operations.store, wish, callContext());
    expect(reply).toEqual({ keys: [wish.key, { name: 'no secret' }] });
    await bus.nats.flush();
    const own = messages.filter(
      ({ subject }) => subject.includes(app) || subject.startsWith(bus.inboxPrefix),
    );
    expect(own.map(({ headers }) => headers?.get(sealHeader).split('.')[1])).toEqual(['gateway', app]);
    expect(own.filter((message) => /tb_test_sk|till|no secret/.test(textOf(message)))).toEqual([]);
  });

  it('receives a sealed failure, with the code and the details of the service', async () => {
    const { app } = await openVault(({ key }) => {
      throw new DomainError('CONFLICT', `The key ${key.secret} exists.`, { details: { secret } });
    });
    const { client } = await openClient();
    const messages = await tap();
    const call = client.call(vaultApi(app).operations.store, wish, callContext());
    await expect(call).rejects.toMatchObject({ code: 'CONFLICT', details: { secret } });
    expect(messages.filter((message) => textOf(message).includes(secret))).toEqual([]);
  });

  it('receives the stored reply of a repeated call sealed for that call', async () => {
    let served = 0;
    const { app } = await openVault((input, context) => (served++, echo(input, context)));
    const { client } = await openClient();
    const messages = await tap();
    const context = { ...callContext(), idempotencyKey: 'key-of-the-call' };
    const { store } = vaultApi(app).operations;
    for (let call = 1; call <= 2; call++)
      expect(await client.call(store, wish, context)).toMatchObject({ keys: [wish.key, {}] });
    expect(served).toBe(1);
    expect(messages.filter((message) => textOf(message).includes(secret))).toEqual([]);
  });

  it('requires no seal for an operation without secrets', () => {
    const plain = internalFeature('shop', 'plain', {
      ask: internalOperation({ summary: 'Ask', input: class {}, output: class {} }),
    });
    expect(plain.operations.ask.isSealed).toBe(false);
    expect(vaultApi('shop').operations.store).toMatchObject({ isSealed: true, hasSecretReply: true });
  });
});

/** Sends one signed call over plain NATS. */
async function sendRaw(
  app: string,
  make: (subject: string, reply: string) => { body: Uint8Array; seal?: string },
): Promise<Msg> {
  const { subject } = vaultApi(app).operations.store;
  const caller = closeLater(await BusConnection.open({ app: randomApp(), url }));
  const reply = caller.newInbox(app);
  const answered = gate<Msg>();
  caller.nats.subscribe(reply, { callback: (_error, message) => answered.open(message) });
  const { body, seal } = make(subject, reply);
  const headers = encodeContext(callContext(), false, (fields) =>
    developmentIdentity('gateway').sign(app, { subject, fields, body }),
  );
  if (seal) headers.set(sealHeader, seal);
  caller.nats.publish(subject, body, { reply, headers });
  return answered.opened;
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('BusServer', () => {
  it('rejects an unsealed call of an operation with secrets', async () => {
    const { app, rejections } = await openVault();
    const { headers } = await sendRaw(app, () => ({ body: json(wish) }));
    expect(headers?.get(failureHeader)).toBe('INTERNAL_ERROR');
    expect(rejections).toEqual(['unsealed']);
  });

  it('rejects a sealed call that was altered, or sealed for another operation, call or app', async () => {
    const { app, rejections } = await openVault();
    const gateway = developmentIdentity('gateway');
    const sealed = (subject: string, reply: string, receiver = app) =>
      gateway.seal('sealed-call', receiver, { subject, reply }, json(wish));
    const wrong: ((subject: string, reply: string) => { body: Uint8Array; seal: string })[] = [
      (subject, reply) => {
        const one = sealed(subject, reply);
        const body = Buffer.from(one.body);
        body[20]! ^= 1;
        return { ...one, body };
      },
      (_subject, reply) => sealed('op.other', reply),
      (subject) => sealed(subject, '_INBOX.other'),
      (subject, reply) => sealed(subject, reply, 'merchant'),
      (subject, reply) => ({ ...sealed(subject, reply), body: Buffer.alloc(5) }),
      (subject, reply) => ({ ...sealed(subject, reply), seal: 'v1.gateway' }),
    ];
    for (const make of wrong) {
      const { headers } = await sendRaw(app, make);
      expect(headers?.get(failureHeader)).toBe('INTERNAL_ERROR');
    }
    expect(rejections).toEqual(['forged', 'forged', 'forged', 'unknownKey', 'forged', 'malformed']);
  });

  it('accepts and answers unsealed calls only until the end of an upgrade', async () => {
    const { app } = await openVault(echo, { oldReleaseUntilMs: inAnHour() });
    const reply = await sendRaw(app, () => ({ body: json(wish) }));
    expect(reply.headers).toBeUndefined();
    expect(JSON.parse(reply.string())).toEqual({ keys: [wish.key, { name: 'no secret' }] });
    const ended = await openVault(echo, { oldReleaseUntilMs: Date.now() - 1 });
    await sendRaw(ended.app, () => ({ body: json(wish) }));
    expect(ended.rejections).toEqual(['unsealed']);
  });
});

type Answer = { data: Uint8Array; headers?: MsgHdrs };

/** Answers calls of an app over plain NATS, as a user who can publish to every inbox. */
async function answerRaw(app: string, answer: (message: Msg) => Answer): Promise<Msg[]> {
  const calls: Msg[] = [];
  const bus = closeLater(await BusConnection.open({ app: randomApp(), url }));
  bus.nats.subscribe(`op.${app}.>`, {
    callback: (_error, message) => {
      calls.push(message);
      const { data, headers } = answer(message);
      message.respond(data, headers && { headers });
    },
  });
  await bus.nats.flush();
  return calls;
}

function failed(code: string, body: object = { code, message: 'no' }): Answer {
  const headers = natsHeaders();
  headers.set(failureHeader, code);
  return { data: json(body), headers };
}

describe('BusClient', () => {
  const forged = { keys: [{ name: 'till', secret: 'of the attacker' }] };

  it.each<[string, string, (app: string, message: Msg) => Answer]>([
    ['that is not sealed', 'unsealed', () => ({ data: json(forged) })],
    ['that is an unsealed failure', 'unsealed', () => failed('CONFLICT')],
    [
      'with an unsealed failure under another code',
      'unsealed',
      () => failed('INTERNAL_ERROR', { code: 'CONFLICT', message: 'no' }),
    ],
    [
      'of another call',
      'forged',
      (app, { subject }) => sealedReply(app, { subject, reply: '_INBOX.gateway.x.1' }),
    ],
    ['sealed by another app', 'unknownKey', (_app, message) => sealedReply('stream', contextOf(message))],
    [
      'that was sealed as a failure',
      'forged',
      (app, message) => sealedReply(app, { ...contextOf(message), failure: 'CONFLICT' }),
    ],
  ])('never uses a reply %s', async (_title, reason, answer) => {
    const app = randomApp();
    await answerRaw(app, (message) => answer(app, message));
    const { client, rejections } = await openClient();
    const call = client.call(vaultApi(app).operations.store, wish, callContext());
    expect([await codeOf(call), rejections]).toEqual(['OUTCOME_UNKNOWN', [reason]]);
  });

  const contextOf = ({ subject, reply = '' }: Msg) => ({ subject, reply });

  function sealedReply(app: string, context: { subject: string; reply: string; failure?: string }): Answer {
    const { seal, body } = developmentIdentity(app).seal('sealed-reply', 'gateway', context, json(forged));
    const headers = natsHeaders();
    headers.set(sealHeader, seal);
    return { data: body, headers };
  }

  it('reports the failure of a service that cannot open calls', async () => {
    const app = randomApp();
    await answerRaw(app, () => failed('SERVICE_UNAVAILABLE'));
    const { client } = await openClient();
    const call = client.call(vaultApi(app).operations.store, wish, callContext());
    expect(await codeOf(call)).toBe('SERVICE_UNAVAILABLE');
  });

  /** Release 0.1.0 rejects a sealed call as malformed JSON. */
  const oldService = ({ headers, data }: Msg): Answer =>
    headers?.has(sealHeader) ? failed('MALFORMED_JSON') : { data: json({ keys: [readKey(data)] }) };
  const readKey = (data: Uint8Array): Key => (JSON.parse(Buffer.from(data).toString()) as KeyWish).key;

  it('repeats a call unsealed to a service of the old release until the end of an upgrade', async () => {
    const app = randomApp();
    const calls = await answerRaw(app, oldService);
    const { client } = await openClient({ oldReleaseUntilMs: inAnHour() });
    const reply = await client.call(vaultApi(app).operations.store, wish, callContext());
    expect(reply).toEqual({ keys: [wish.key] });
    expect(
      calls.map(({ headers }) => [headers?.has(sealHeader), headers?.has(contextHeaders.signature)]),
    ).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('sends no unsealed secret outside of an upgrade, regardless of the reply', async () => {
    const app = randomApp();
    const calls = await answerRaw(app, oldService);
    const { client } = await openClient();
    expect(await codeOf(client.call(vaultApi(app).operations.store, wish, callContext()))).toBe(
      'OUTCOME_UNKNOWN',
    );
    expect(calls).toHaveLength(1);
  });

  it('seals calls to services of this release during an upgrade too', async () => {
    const { app } = await openVault(echo, { oldReleaseUntilMs: inAnHour() });
    const { client } = await openClient({ oldReleaseUntilMs: inAnHour() });
    const messages = await tap();
    await client.call(vaultApi(app).operations.store, wish, callContext());
    expect(messages.filter((message) => textOf(message).includes(secret))).toEqual([]);
  });
});
