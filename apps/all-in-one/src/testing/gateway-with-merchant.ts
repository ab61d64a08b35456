import { start as startGateway, type RunningGateway } from '@tollbridge/app-gateway';
import { migrations, start as startMerchant } from '@tollbridge/app-merchant';
import { migrate } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  freshDatabase,
  startNats,
  startRedis,
  type FreshDatabase,
  type NatsServer,
  type RedisServer,
  testConnections,
} from '@tollbridge/testing';

/** A sandbox gateway with the merchant app, with their own PostgreSQL, NATS and Redis. */
export class GatewayWithMerchant {
  database: FreshDatabase;
  nats: NatsServer;
  redis: RedisServer;
  merchant: RunningService;
  gateway: RunningGateway;

  /** @param gatewaySettings additional settings of the gateway */
  static async start(gatewaySettings: NodeJS.ProcessEnv = {}): Promise<GatewayWithMerchant> {
    const environment = new GatewayWithMerchant();
    try {
      await environment.open(gatewaySettings);
      return environment;
    } catch (error) {
      await environment.close();
      throw error;
    }
  }

  private async open(gatewaySettings: NodeJS.ProcessEnv): Promise<void> {
    process.env['LOG_LEVEL'] ??= 'silent';
    [this.database, this.nats, this.redis] = await Promise.all([
      freshDatabase('merchant', (url) => migrate({ app: 'merchant', url, migrations })),
      startNats(),
      startRedis(),
    ]);
    this.merchant = await startMerchant({
      TOLLBRIDGE_ENV: 'sandbox',
      MERCHANT_NATS_URL: this.nats.url,
      MERCHANT_DATABASE_URL: this.database.runtimeUrl,
      MERCHANT_DATABASE_CONNECTIONS: testConnections,
      MERCHANT_MANAGEMENT_PORT_NUMBER: '0',
      MERCHANT_KEY_PEPPER: 'a-pepper-of-the-tests-0123456789abcdef',
    });
    this.gateway = await startGateway({
      TOLLBRIDGE_ENV: 'sandbox',
      GATEWAY_NATS_URL: this.nats.url,
      GATEWAY_REDIS_URL: this.redis.url,
      // Other processes share the machine during tests, so a slow count must not be treated as a Redis failure.
      GATEWAY_REDIS_TIMEOUT_MS: '5000',
      PORT: '0',
      GATEWAY_MANAGEMENT_PORT_NUMBER: '0',
      ...gatewaySettings,
    });
  }

  async close(): Promise<void> {
    await this.gateway?.close();
    await this.merchant?.close();
    await this.redis?.remove();
    await this.nats?.remove();
    await this.database?.drop();
  }
}
