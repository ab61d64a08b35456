import {
  AnyCaller,
  internalKeysApi,
  orderEvents,
  type OrderChanged,
  type OrderEventType,
  type SpendStatus,
} from '@tollbridge/contracts';
import { digestOfKey, newKeyText, readKeyText } from '@tollbridge/api-keys';
import {
  BusClient,
  BusConnection,
  callContext,
  DomainError,
  EventPublisher,
  readIdentityDirectory,
  subjectOf,
  type BusOperation,
  type CallContext,
  type EventDeclaration,
  type EventEnvelope,
  type OutgoingEvent,
  developmentIdentity,
} from '@tollbridge/rpc';
import { transaction, type Clock } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  eventually,
  recordEvents,
  startNats,
  testIdentitySecret,
  type EventRecorder,
  type FreshDatabase,
  type NatsServer,
  testConnections,
} from '@tollbridge/testing';
import { getAddress } from 'ethers';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { Budgets } from '../budgets/budgets';
import { KeysRepository, type NewApiKey } from '../keys/keys.repository';
import { SecretHash } from '../keys/secret-hash';
import { anOrderChanged } from '../orders/testing/order-changed.builder';
import { start } from '../start';
import type { PublishedOrder } from './published-order';
import { migratedDatabase } from './migrated-database';

export const pepper = 'a-pepper-of-the-tests-0123456789abcdef';

export interface MadeKey {
  id: string;
  key: string;
  secret: string;
}

/** Calls of tests wait longer than the time-out of their operation, because a burst takes longer on a busy machine. */
const patienceMs = 60_000;

/** The number of events that are published concurrently. */
const pageSize = 100;

/** A random address in canonical form, without a known key. */
export const randomWallet = (): string => getAddress(`0x${randomBytes(20).toString('hex')}`);

function outgoing<D>(
  event: EventDeclaration<D>,
  { id, ...fields }: Pick<EventEnvelope<D>, 'id' | 'aggregateId' | 'aggregateVersion' | 'data'>,
): OutgoingEvent {
  const { type, version } = event;
  const { requestId, traceparent } = callContext();
  const occurredAt = new Date().toISOString();
  const envelope: EventEnvelope<D> = { id, type, version, ...fields, occurredAt, requestId, traceparent };
  return { id, subject: subjectOf(event, fields.aggregateId), payload: JSON.stringify(envelope) };
}

/** Signs calls with development identities, or outside the sandbox with the identities of the tests. */
function callerFor({ SERVICE_IDENTITIES_FILE: file }: NodeJS.ProcessEnv = {}): AnyCaller {
  if (file === undefined) return new AnyCaller();
  return new AnyCaller(testIdentitySecret, readIdentityDirectory(readFileSync(file, 'utf8')));
}

/** Runs the merchant app as in production, but in this process. Tests call it over the bus. */
export class Merchant {
  readonly apps: RunningService[] = [];
  /** Publishers with the identities of other apps, and their connections. */
  private readonly publishers = new Map<string, Promise<EventPublisher>>();
  private readonly connections: BusConnection[] = [];

  private constructor(
    readonly database: FreshDatabase,
    readonly nats: NatsServer,
    private readonly bus: BusConnection,
    readonly client: BusClient,
    private readonly clock: Clock | undefined,
  ) {}

  static async start(options: { clock?: Clock; settings?: NodeJS.ProcessEnv } = {}): Promise<Merchant> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const [database, nats] = await Promise.all([migratedDatabase(), startNats()]);
    const bus = await BusConnection.open({ app: 'test-caller', url: nats.url });
    const merchant = new Merchant(
      database,
      nats,
      bus,
      new BusClient(bus, callerFor(options.settings)),
      options.clock,
    );
    try {
      await merchant.startApp(options.settings);
    } catch (error) {
      // Servers that stay open would keep the test process alive.
      await merchant.close();
      throw error;
    }
    return merchant;
  }

  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const env = {
      TOLLBRIDGE_ENV: 'sandbox',
      MERCHANT_NATS_URL: this.nats.url,
      MERCHANT_DATABASE_URL: this.database.runtimeUrl,
      MERCHANT_DATABASE_CONNECTIONS: testConnections,
      MERCHANT_MANAGEMENT_PORT_NUMBER: '0',
      MERCHANT_KEY_PEPPER: pepper,
      GATEWAY_PUBLIC_URL: 'http://127.0.0.1:3000',
      CHAINS_FILE: join(__dirname, 'no-chains.json'),
      ...settings,
    };
    const app = await start(env, this.clock ? { clock: this.clock } : {});
    this.apps.push(app);
    return app;
  }

  /** Captures a spend, like the events of its outcome. */
  async capture({
    reference,
    valueUsd,
  }: {
    reference: string;
    valueUsd?: string;
  }): Promise<SpendStatus | undefined> {
    const { context, database } = this.apps[0]!;
    const value = valueUsd === undefined ? {} : { valueUsd };
    const budgets = context.get(Budgets, { strict: false });
    return transaction(database!.pool, (client) => budgets.capture(client, reference, value));
  }

  /** Inserts an API key. */
  async makeKey(changes: Partial<NewApiKey> = {}): Promise<MadeKey> {
    const [key, secret] = [newKeyText('test', 'publishable'), newKeyText('test', 'secret')];
    const [app] = this.apps;
    const stored: NewApiKey = {
      id: uuid(),
      owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      label: 'A key',
      key,
      secretHash: app!.context.get(SecretHash, { strict: false }).of(secret),
      permissions: ['read'],
      plan: 'free',
      customRate: null,
      environment: 'sandbox',
      monthlyBudgetUsd: null,
      maxPerTxUsd: null,
      ...changes,
    };
    await app!.context.get(KeysRepository, { strict: false }).put(stored, Date.now());
    return { id: stored.id, key: stored.key, secret };
  }

  /** Inserts a webhook endpoint that is never called, so that the messages to a wallet are stored. */
  async addWebhookEndpoint(wallet: string): Promise<void> {
    await this.database.query(
      `INSERT INTO webhook_endpoints (wallet, url, secret, secret_created_at, not_before, created_at)
       VALUES ($1, 'http://127.0.0.1:9/', '\\x00', now(), 'infinity', now())`,
      [wallet],
    );
  }

  /** @param principal the caller, see `walletPrincipal` and `keyPrincipal` */
  call<I, O>(
    operation: BusOperation<I, O>,
    input: I,
    principal = 'public',
    idempotencyKey?: string,
  ): Promise<O> {
    const context = callContext({ principal });
    const patient = { ...operation, timeoutMs: Math.max(operation.timeoutMs, patienceMs) };
    return this.client.call(patient, input, idempotencyKey ? { ...context, idempotencyKey } : context);
  }

  /** Calls an operation with the complete call context, within the time-out of the operation. */
  callWith<I, O>(context: CallContext, operation: BusOperation<I, O>, input: I): Promise<O> {
    return this.client.call(operation, input, context);
  }

  /** @param caller the network of the client, as the gateway sends it */
  callFrom<I, O>(caller: string, operation: BusOperation<I, O>, input: I): Promise<O> {
    return this.callWith({ ...callContext(), caller }, operation, input);
  }

  /** Authenticates like the gateway. @returns the reason of a rejection, or the reply */
  async authenticate(presented: string): Promise<unknown> {
    const kind = readKeyText(presented)!.kind;
    const digest = digestOfKey(presented);
    return this.call(internalKeysApi.operations.authenticate, { digest, kind }).catch(
      (error: DomainError) => {
        if (error.code !== 'UNAUTHORIZED') throw error;
        return (error.details as { reason: string }).reason;
      },
    );
  }

  /** Publishes an order event like pay-orders. */
  async publishOrder(type: OrderEventType, changes: Partial<OrderChanged> = {}): Promise<OrderChanged> {
    const order = anOrderChanged(changes);
    await this.publishEvent(orderEvents[type], order.order_id, order.version, order);
    return order;
  }

  /** Publishes order events in pages. The events of a page are published concurrently. */
  async publishOrders(orders: readonly PublishedOrder[]): Promise<void> {
    const events = orders.map(({ id, type, order }) =>
      outgoing(orderEvents[type], {
        id,
        aggregateId: order.order_id,
        aggregateVersion: order.version,
        data: order,
      }),
    );
    for (let at = 0; at < events.length; at += pageSize)
      await this.publish('pay-orders', events.slice(at, at + pageSize));
  }

  /** Publishes order events, and resolves when they have been handled. */
  async publishAndWait(orders: readonly PublishedOrder[]): Promise<void> {
    const before = await this.handled();
    await this.publishOrders(orders);
    const distinct = new Set(orders.map(({ id }) => id)).size;
    await eventually(async () => expect(await this.handled()).toBe(before + distinct), { timeoutMs: 90_000 });
  }

  /** The number of handled events. */
  async handled(): Promise<number> {
    const [row] = await this.database.query<{ count: string }>('SELECT count(*) FROM inbox');
    return Number(row!.count);
  }

  /** Publishes an event of another app. Events with the same id are deduplicated. */
  async publishEvent<D>(
    event: EventDeclaration<D>,
    aggregateId: string,
    aggregateVersion: number,
    data: D,
    id = uuid(),
  ): Promise<void> {
    await this.publish(event.app, [outgoing(event, { id, aggregateId, aggregateVersion, data })]);
  }

  /** Publishes like an outbox: after a time-out the outcome is unknown, so the same ids are published again. */
  private async publish(app: string, events: readonly OutgoingEvent[]): Promise<void> {
    const publisher = this.publishers.get(app) ?? this.openPublisher(app);
    this.publishers.set(app, publisher);
    await eventually(async () => (await publisher).publish(events));
  }

  private async openPublisher(app: string): Promise<EventPublisher> {
    const connection = await BusConnection.open({ app, url: this.nats.url });
    this.connections.push(connection);
    const signing = { identity: developmentIdentity(app), receivers: ['merchant'] };
    return new EventPublisher(connection, { signing });
  }

  recordEvents(): Promise<EventRecorder> {
    return recordEvents(this.nats.url, 'MERCHANT');
  }

  async close(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    this.client.close();
    await Promise.all([this.bus, ...this.connections].map((connection) => connection.close()));
    await this.nats.remove();
    await this.database.drop();
  }
}
