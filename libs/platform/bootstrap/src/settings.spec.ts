import { loadConfig } from '@tollbridge/config';
import { databaseSettings, managementSettings, serviceSettings, streamSettings } from './settings';

const settings = {
  ...managementSettings,
  ...serviceSettings('PAY_ORDERS', { managementPort: 9102 }),
  ...databaseSettings('PAY_ORDERS'),
};
const urls = {
  PAY_ORDERS_NATS_URL: 'nats://pay-orders:x@127.0.0.1:4222',
  PAY_ORDERS_DATABASE_URL: 'postgres://pay_orders:x@127.0.0.1/tollbridge',
};

describe('serviceSettings and databaseSettings', () => {
  it('derives the names of the settings from the app', () => {
    expect(loadConfig(settings, { ...urls, TOLLBRIDGE_ENV: 'sandbox' })).toEqual({
      environment: 'sandbox',
      MANAGEMENT_HOST: '127.0.0.1',
      PAY_ORDERS_MANAGEMENT_PORT_NUMBER: 9102,
      PAY_ORDERS_DATABASE_CONNECTIONS: 20,
      PAY_ORDERS_LEADER_LEASE_MS: 4_000,
      PAY_ORDERS_IDENTITY_SECRET: 'development-identity-of-pay-orders-known-to-everybody',
      SERVICE_IDENTITIES_FILE: '',
      BUS_OLD_RELEASE_UNTIL: '',
      STOP_DELAY_MS: 0,
      STOP_TIMEOUT_MS: 75_000,
      NATS_CA_FILE: '',
      NATS_CERT_FILE: '',
      NATS_KEY_FILE: '',
      DATABASE_CA_FILE: '',
      DATABASE_CERT_FILE: '',
      DATABASE_KEY_FILE: '',
      ...urls,
    });
  });

  it('declares the addresses of servers as secrets without a default, because they contain passwords', () => {
    for (const name of Object.keys(urls) as (keyof typeof urls)[]) {
      expect(settings[name].isSecret).toBe(true);
      expect(settings[name]).not.toHaveProperty('default');
      expect(settings[name]).not.toHaveProperty('sandboxDefault');
    }
    expect(() => loadConfig(settings, { TOLLBRIDGE_ENV: 'sandbox' })).toThrow(
      'PAY_ORDERS_NATS_URL is missing',
    );
  });

  it.each(['tomorrow', '2026-12-24', '2999-01-01T00:00:00Z'])(
    'rejects %s as the end of an upgrade',
    (value) => {
      const load = () =>
        loadConfig(settings, { ...urls, TOLLBRIDGE_ENV: 'sandbox', BUS_OLD_RELEASE_UNTIL: value });
      expect(load).toThrow('BUS_OLD_RELEASE_UNTIL must be');
    },
  );

  it.each(['3', '201', 'many'])('rejects a pool of %s connections', (value) => {
    const load = () =>
      loadConfig(settings, { ...urls, TOLLBRIDGE_ENV: 'sandbox', PAY_ORDERS_DATABASE_CONNECTIONS: value });
    expect(load).toThrow('PAY_ORDERS_DATABASE_CONNECTIONS must be an integer from 4 to 200');
  });

  it.each(['short', `${'x'.repeat(32)},short`, `${'x'.repeat(32)},${'y'.repeat(32)},${'z'.repeat(32)}`])(
    'rejects the identity secret %s',
    (value) => {
      const load = () =>
        loadConfig(settings, { ...urls, TOLLBRIDGE_ENV: 'sandbox', PAY_ORDERS_IDENTITY_SECRET: value });
      expect(load).toThrow(
        /PAY_ORDERS_IDENTITY_SECRET must (have at least 32 characters|be one value, or two)/,
      );
    },
  );

  it('requires an identity secret and an identities file outside the sandbox', () => {
    const known = settings.PAY_ORDERS_IDENTITY_SECRET.sandboxDefault!;
    const env = { ...urls, TOLLBRIDGE_ENV: 'test', PAY_ORDERS_IDENTITY_SECRET: known };
    expect(() => loadConfig(settings, env)).toThrow(
      /PAY_ORDERS_IDENTITY_SECRET must not be a value from the examples/,
    );
    expect(() => loadConfig(settings, env)).toThrow(/SERVICE_IDENTITIES_FILE is missing/);
  });

  it('types each value by the name of its setting', () => {
    const config = loadConfig(settings, { ...urls, TOLLBRIDGE_ENV: 'sandbox' });
    const port: number = config.PAY_ORDERS_MANAGEMENT_PORT_NUMBER;
    const url: string = config.PAY_ORDERS_NATS_URL;
    // @ts-expect-error MERCHANT_NATS_URL is a setting of another app
    expect([port, url, config.MERCHANT_NATS_URL]).toEqual([9102, urls.PAY_ORDERS_NATS_URL, undefined]);
  });
});

describe('streamSettings', () => {
  it('limits a stream to 1,024 MB by default, and to 256 MB in the sandbox', () => {
    const read = (env: NodeJS.ProcessEnv) => loadConfig(streamSettings('PAY_ORDERS'), env);
    expect(read({ TOLLBRIDGE_ENV: 'production' }).PAY_ORDERS_STREAM_MAX_MB).toBe(1_024);
    expect(read({ TOLLBRIDGE_ENV: 'sandbox' }).PAY_ORDERS_STREAM_MAX_MB).toBe(256);
    expect(() => read({ TOLLBRIDGE_ENV: 'sandbox', PAY_ORDERS_STREAM_MAX_MB: '8' })).toThrow(
      'PAY_ORDERS_STREAM_MAX_MB must be',
    );
  });

  it('stores a stream on 1, 3 or 5 servers, and keeps acknowledged events for a week', () => {
    const read = (env: NodeJS.ProcessEnv) =>
      loadConfig(streamSettings('PAY_ORDERS'), { TOLLBRIDGE_ENV: 'production', ...env });
    expect(read({})).toMatchObject({ PAY_ORDERS_STREAM_REPLICAS: 1, PAY_ORDERS_STREAM_MAX_AGE_HOURS: 168 });
    expect(read({ PAY_ORDERS_STREAM_REPLICAS: '5' }).PAY_ORDERS_STREAM_REPLICAS).toBe(5);
    for (const value of ['0', '2', '4', '03', 'three'])
      expect(() => read({ PAY_ORDERS_STREAM_REPLICAS: value })).toThrow(
        'PAY_ORDERS_STREAM_REPLICAS must be one of 1, 3, 5',
      );
    expect(() => read({ PAY_ORDERS_STREAM_MAX_AGE_HOURS: '0' })).toThrow(
      'PAY_ORDERS_STREAM_MAX_AGE_HOURS must be',
    );
  });
});
