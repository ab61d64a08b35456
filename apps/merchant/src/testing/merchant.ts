import { internalKeysApi } from '@tollbridge/api';
import { digestOfKey, newKeyText, readKeyText } from '@tollbridge/api-keys';
import { BusClient, BusConnection, DomainError, type BusOperation } from '@tollbridge/bus';
import { migrate, type Clock } from '@tollbridge/data';
import type { RunningService } from '@tollbridge/service';
import {
  freshDatabase,
  recordEvents,
  startNats,
  type EventRecorder,
  type FreshDatabase,
  type NatsServer,
} from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import { KeysRepository, type NewApiKey } from '../keys/keys.repository';
import { SecretHash } from '../keys/secret-hash';
import { migrations } from '../migrations';
import { start } from '../start';

export const pepper = 'a-pepper-of-the-tests-0123456789abcdef';

export interface MadeKey {
  id: string;
  key: string;
  secret: string;
}

/** The merchant app as it runs in production, in this process; everything is asked over the bus. */
export class Merchant {
  readonly apps: RunningService[] = [];
  private constructor(
    readonly database: FreshDatabase,
    readonly nats: NatsServer,
    private readonly bus: BusConnection,
    private readonly client: BusClient,
    private readonly clock: Clock | undefined,
  ) {}

  static async start(options: { clock?: Clock; settings?: NodeJS.ProcessEnv } = {}): Promise<Merchant> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const [database, nats] = await Promise.all([freshDatabase('merchant'), startNats()]);
    await migrate({ app: 'merchant', url: database.ownerUrl, migrations });
    const bus = await BusConnection.open({ app: 'test-caller', url: nats.url });
    const merchant = new Merchant(database, nats, bus, new BusClient(bus), options.clock);
    await merchant.startApp(options.settings);
    return merchant;
  }

  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const env = {
      MERCHANT_NATS_URL: this.nats.url,
      MERCHANT_DATABASE_URL: this.database.runtimeUrl,
      MERCHANT_MANAGEMENT_PORT: '0',
      MERCHANT_KEY_PEPPER: pepper,
      ...settings,
    };
    const app = await start(env, this.clock ? { clock: this.clock } : {});
    this.apps.push(app);
    return app;
  }

  /** A key straight in the table. */
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
    await app!.context.get(KeysRepository, { strict: false }).insert(stored, Date.now());
    return { id: stored.id, key: stored.key, secret };
  }

  call<I, O>(operation: BusOperation<I, O>, input: I): Promise<O> {
    return this.client.call(operation, input);
  }

  /** What the gateway asks; a refusal answers its reason. */
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

  recordEvents(): Promise<EventRecorder> {
    return recordEvents(this.nats.url, 'MERCHANT');
  }

  async close(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    this.client.close();
    await this.bus.close();
    await this.nats.remove();
    await this.database.drop();
  }
}
