import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AnyCaller, callAccess, features, internalFeatures } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  BusServer,
  callContext,
  decode,
  developmentIdentity,
  DomainError,
  fieldsOf,
  Handles,
  itemOf,
  keyPrincipal,
  RpcExceptionFilter,
  walletPrincipal,
  type BusOperation,
  type Class,
  type FieldDeclaration,
  type Operation,
} from '@tollbridge/rpc';
import { startNats, type NatsServer } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';

const all = [...features, ...internalFeatures];
const operations = all.flatMap((feature) => Object.values(feature.operations) as BusOperation[]);
const apps = [...new Set(all.map(({ app }) => app))];

/** The values of all secret fields. */
const markers: string[] = [];

/** The input of every call and the output of every handler. The values of secret fields are random. */
const inputs = new Map(operations.map((operation) => [operation, exampleOf(operation.input)]));
const outputs = new Map(operations.map((operation) => [operation, exampleOf(operation.output)]));

function exampleOf(source: Class<unknown>, isMarked = false): unknown {
  const item = itemOf(source);
  if (item) return [exampleOf(item, isMarked), exampleOf(item, isMarked)];
  const values = fieldsOf(source).map((field) => [field.name, valueOf(source, field, isMarked)] as const);
  return Object.fromEntries(values);
}

function valueOf(source: Class<unknown>, field: FieldDeclaration, isMarked: boolean): unknown {
  const isSecret = isMarked || field.isSecret;
  if (field.nested) {
    const below = exampleOf(field.nested.class(), isSecret);
    return field.nested.isList ? [below] : below;
  }
  const [example] = field.schema['examples'] as unknown[];
  return isSecret ? secretFor(source, field) : example;
}

/** Returns a random value that passes the validation of the field. Replies are not validated. */
function secretFor(source: Class<unknown>, { name }: FieldDeclaration): unknown {
  const texts = [randomBytes(16).toString('hex'), randomBytes(64).toString('base64')];
  const candidates = texts.flatMap((marker) => [
    { marker, value: marker },
    { marker, value: { note: marker } },
  ]);
  const isAccepted = ({ value }: { value: unknown }): boolean => {
    const decoded = decode(source, { [name]: value });
    return decoded.ok || !decoded.errors.some(({ field }) => field === name);
  };
  const { marker, value } = candidates.find(isAccepted) ?? candidates[0]!;
  markers.push(marker);
  return value;
}

/** A class that answers the operations of a feature with their examples. */
function controllerOf(feature: (typeof all)[number]): Type {
  class Answers {}
  for (const [name, operation] of Object.entries(feature.operations) as [string, BusOperation][])
    Object.defineProperty(Answers.prototype, name, {
      value: async () => outputs.get(operation),
      writable: true,
      configurable: true,
    });
  Handles(feature as never)(Answers as never);
  Controller()(Answers);
  return Answers;
}

let nats: NatsServer;
let client: BusClient;
let tap: BusConnection;
/** Messages that a user with all rights reads on the bus. */
const seen: { subject: string; text: string }[] = [];
const closers: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  nats = await startNats();
  tap = await BusConnection.open({ app: 'operator', url: nats.url });
  tap.nats.subscribe('>', {
    callback: (_error, { subject, headers, data }) => {
      const text = `${[...(headers ?? [])].flat(2).join(' ')} ${Buffer.from(data).toString('latin1')}`;
      seen.push({ subject, text });
    },
  });
  await tap.nats.flush();
  for (const app of apps) {
    @Module({ controllers: all.filter((feature) => feature.app === app).map(controllerOf) })
    class AppModule {}
    const bus = await BusConnection.open({ app, url: nats.url });
    const identity = developmentIdentity(app);
    const strategy = new BusServer(bus, { identity, access: callAccess });
    const options = { strategy, logger: false, abortOnError: false } as const;
    const nest = await NestFactory.createMicroservice(AppModule, options);
    nest.useGlobalFilters(new RpcExceptionFilter());
    await nest.listen();
    closers.push(
      () => bus.close(),
      () => nest.close(),
    );
  }
  const bus = await BusConnection.open({ app: 'gateway', url: nats.url });
  client = new BusClient(bus, new AnyCaller());
  closers.push(
    () => bus.close(),
    () => client.close(),
  );
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await tap.close();
  await nats.remove();
});

function principalOf(operation: BusOperation): string {
  const { auth } = operation as Partial<Operation>;
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  if (auth === undefined || auth === 'public') return 'public';
  return 'wallet' in auth ? walletPrincipal(wallet) : keyPrincipal('0198f3a2', wallet);
}

const leaksIn = (texts: readonly string[]): string[] =>
  markers.filter((marker) => texts.some((text) => text.includes(marker)));

describe('A user with all rights on the bus', () => {
  it('reads no secret of any call or reply, while every operation is called', async () => {
    expect(operations.length).toBeGreaterThan(150);
    expect(markers.length).toBeGreaterThan(50);
    for (const operation of operations) {
      const context = { ...callContext({ principal: principalOf(operation) }), idempotencyKey: 'wiretap' };
      const reply = await client
        .call(operation, inputs.get(operation), context)
        .catch((error: DomainError) => ({ failed: operation.subject, ...error }));
      expect(reply).toEqual(JSON.parse(JSON.stringify(outputs.get(operation))));
    }
    await tap.nats.flush();
    const called = new Set(seen.map(({ subject }) => subject));
    expect(operations.filter(({ subject }) => !called.has(subject))).toEqual([]);
    expect(seen.filter(({ subject }) => subject.startsWith('_INBOX.gateway')).length).toBe(operations.length);
    expect(leaksIn(seen.map(({ text }) => text))).toEqual([]);
  });

  it('would find the secrets in unencrypted calls and replies', () => {
    const inClear = [...inputs.values(), ...outputs.values()].map((value) => JSON.stringify(value));
    expect(leaksIn(inClear)).toEqual(markers);
  });

  it('reads calls and replies of operations without secrets', () => {
    const [call] = seen.filter(({ subject }) => subject === 'op.pay-orders.orders.create-order');
    expect(call?.text).toContain('"settle_token":"USDC"');
  });
});
