import { AnyCaller } from '@tollbridge/contracts';
import {
  agentmailKey,
  resendKey,
  startMailSimulators,
  type RunningMailSimulators,
} from '@tollbridge/app-sandbox';
import {
  BusClient,
  BusConnection,
  callContext,
  keyPrincipal,
  type BusOperation,
  type CallContext,
} from '@tollbridge/rpc';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  freshDatabase,
  startNats,
  type FreshDatabase,
  type NatsServer,
  testConnections,
} from '@tollbridge/testing';
import { start } from '../start';
import { migratedDatabase } from './migrated-database';
import { migrateSandbox } from '@tollbridge/app-sandbox';

export const [alice, bob] = [
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
] as const;
const keyId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

/** The service API as in production, in this process, with the mail simulators. Calls use the bus. */
export class MailApp {
  readonly apps: RunningService[] = [];

  private constructor(
    readonly database: FreshDatabase,
    private readonly sandboxDatabase: FreshDatabase,
    readonly nats: NatsServer,
    private readonly bus: BusConnection,
    private readonly client: BusClient,
    readonly mail: RunningMailSimulators,
  ) {}

  static async start(): Promise<MailApp> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const [database, sandboxDatabase, nats] = await Promise.all([
      migratedDatabase(),
      freshDatabase('sandbox', migrateSandbox),
      startNats(),
    ]);
    const mail = await startMailSimulators(sandboxDatabase);
    const bus = await BusConnection.open({ app: 'test-caller', url: nats.url });
    const app = new MailApp(database, sandboxDatabase, nats, bus, new BusClient(bus, new AnyCaller()), mail);
    await app.startApp();
    return app;
  }

  /** Starts another replica, or an instance with other settings after the previous one was closed. */
  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const app = await start({
      TOLLBRIDGE_ENV: 'sandbox',
      SERVICE_API_NATS_URL: this.nats.url,
      SERVICE_API_DATABASE_URL: this.database.runtimeUrl,
      SERVICE_API_DATABASE_CONNECTIONS: testConnections,
      SERVICE_API_MANAGEMENT_PORT_NUMBER: '0',
      MAILTM_URL: this.mail.mailtm,
      MAILTM_REQUESTS_PER_SECOND: '100',
      AGENTMAIL_URL: this.mail.agentmail,
      AGENTMAIL_API_KEY: agentmailKey,
      RESEND_URL: this.mail.resend,
      RESEND_API_KEY: resendKey,
      RESEND_DOMAIN: 'tollbridge.test',
      ...settings,
    });
    this.apps.push(app);
    return app;
  }

  call<I, O>(
    operation: BusOperation<I, O>,
    input: I,
    given: Partial<CallContext> & { wallet?: string } = {},
  ): Promise<O> {
    const { wallet = alice, ...rest } = given;
    const context = { ...callContext({ principal: keyPrincipal(keyId, wallet) }), ...rest };
    return this.client.call(operation, input, context);
  }

  async close(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    this.client.close();
    await this.bus.close();
    await this.mail.close();
    await this.nats.remove();
    await Promise.all([this.database.drop(), this.sandboxDatabase.drop()]);
  }
}
