import { AnyCaller } from '@tollbridge/contracts';
import {
  smsActivateKey,
  startSmsSimulators,
  twilioAccount,
  type RunningSmsSimulators,
} from '@tollbridge/app-sandbox';
import {
  BusClient,
  BusConnection,
  callContext,
  idempotencyKeyOf,
  keyPrincipal,
  type BusOperation,
} from '@tollbridge/rpc';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  startFakeService,
  startNats,
  type FreshDatabase,
  type NatsServer,
  type FakeService,
  testConnections,
} from '@tollbridge/testing';
import { start } from '../start';
import { migratedDatabase } from './migrated-database';

/** The system clock, with an offset that the test sets. */
export class MovedClock {
  private movedMs = 0;
  now(): number {
    return Date.now() + this.movedMs;
  }
  move(milliseconds: number): void {
    this.movedMs += milliseconds;
  }
}

export const keyId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
export const [alice, bob] = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0xBob'];
export const principalOf = (wallet: string): string => keyPrincipal(keyId, wallet);

export interface StoredPurchase {
  id: string;
  status: string;
  provider_id: string | null;
  value_usd: string | null;
}

/** The service API with the simulators of numbers and messages, and a fake of key budgets. */
export class SmsHarness {
  readonly apps: RunningService[] = [];

  private constructor(
    readonly clock: MovedClock,
    readonly database: FreshDatabase,
    readonly nats: NatsServer,
    readonly simulators: RunningSmsSimulators,
    readonly budgets: FakeService,
    private readonly bus: BusConnection,
    private readonly client: BusClient,
  ) {}

  static async start(settingsOf: (url: string) => NodeJS.ProcessEnv = () => ({})): Promise<SmsHarness> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const [database, nats] = await Promise.all([migratedDatabase(), startNats()]);
    const clock = new MovedClock();
    const simulators = await startSmsSimulators(clock);
    const budgets = await startFakeService(nats.url, 'op.merchant.budgets.*', () => ({
      output: { status: 'reserved', isUnbounded: false },
    }));
    const bus = await BusConnection.open({ app: 'test-caller', url: nats.url });
    const client = new BusClient(bus, new AnyCaller());
    const harness = new SmsHarness(clock, database, nats, simulators, budgets, bus, client);
    try {
      await harness.startApp(settingsOf(simulators.url));
    } catch (error) {
      await harness.close();
      throw error;
    }
    return harness;
  }

  /** Starts one replica of the app. */
  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const { url } = this.simulators;
    const env = {
      TOLLBRIDGE_ENV: 'sandbox',
      SERVICE_API_NATS_URL: this.nats.url,
      SERVICE_API_DATABASE_URL: this.database.runtimeUrl,
      SERVICE_API_DATABASE_CONNECTIONS: testConnections,
      SERVICE_API_MANAGEMENT_PORT_NUMBER: '0',
      SMS_NUMBERS_URL: `${url}/sms-activate/stubs/handler_api.php`,
      SMS_NUMBERS_KEY: smsActivateKey,
      SMS_NUMBERS_LOOK_MS: '100',
      TWILIO_URL: `${url}/twilio`,
      TWILIO_ACCOUNT_SID: twilioAccount.sid,
      TWILIO_AUTH_TOKEN: twilioAccount.token,
      TWILIO_FROM: twilioAccount.from,
      ...settings,
    };
    const app = await start(env, { clock: this.clock });
    this.apps.push(app);
    return app;
  }

  call<I, O>(
    operation: BusOperation<I, O>,
    input: I,
    given: { wallet?: string; principal?: string; idempotencyKey?: string; signal?: AbortSignal } = {},
  ): Promise<O> {
    const { wallet = alice!, principal = principalOf(wallet), idempotencyKey, signal } = given;
    return this.client.call(operation, input, {
      ...callContext({ principal }),
      // The gateway sends the key in this form.
      ...(idempotencyKey !== undefined && { idempotencyKey: idempotencyKeyOf(wallet, idempotencyKey) }),
      ...(signal && { signal }),
    });
  }

  async purchases(): Promise<StoredPurchase[]> {
    return this.database.query<StoredPurchase>(
      'SELECT id, status, provider_id, value_usd FROM purchases ORDER BY id',
    );
  }

  async returns(): Promise<{ purchase_id: string; return_at: Date }[]> {
    return this.database.query('SELECT purchase_id, return_at FROM sms_number_returns');
  }

  async close(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    this.client.close();
    await this.bus.close();
    await this.budgets.close();
    await this.simulators.close();
    await this.nats.remove();
    await this.database.drop();
  }
}
