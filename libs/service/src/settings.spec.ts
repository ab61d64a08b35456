import { loadConfig } from '@tollbridge/config';
import { databaseSettings, managementSettings, serviceSettings } from './settings';

const settings = {
  ...managementSettings,
  ...serviceSettings('PAY_ORDERS', { managementPort: 9102 }),
  ...databaseSettings('PAY_ORDERS'),
};
const urls = {
  PAY_ORDERS_NATS_URL: 'nats://pay-orders:x@127.0.0.1:4222',
  PAY_ORDERS_DATABASE_URL: 'postgres://pay_orders:x@127.0.0.1/tollbridge',
};

it('every app has its settings under its own name', () => {
  expect(loadConfig(settings, urls)).toEqual({
    environment: 'sandbox',
    MANAGEMENT_HOST: '127.0.0.1',
    PAY_ORDERS_MANAGEMENT_PORT: 9102,
    PAY_ORDERS_DATABASE_CONNECTIONS: 20,
    ...urls,
  });
});

it('addresses of servers carry passwords, and are secrets without a default', () => {
  for (const name of Object.keys(urls) as (keyof typeof urls)[]) {
    expect(settings[name].isSecret).toBe(true);
    expect(settings[name]).not.toHaveProperty('default');
    expect(settings[name]).not.toHaveProperty('sandboxDefault');
  }
  expect(() => loadConfig(settings, {})).toThrow('PAY_ORDERS_NATS_URL is missing');
});

it.each(['3', '201', 'many'])('a pool of %s connections is refused', (value) => {
  const load = () => loadConfig(settings, { ...urls, PAY_ORDERS_DATABASE_CONNECTIONS: value });
  expect(load).toThrow('PAY_ORDERS_DATABASE_CONNECTIONS must be an integer from 4 to 200');
});

it('the settings of an app are typed by their names', () => {
  const config = loadConfig(settings, urls);
  const port: number = config.PAY_ORDERS_MANAGEMENT_PORT;
  const url: string = config.PAY_ORDERS_NATS_URL;
  // @ts-expect-error another app's
  expect([port, url, config.MERCHANT_NATS_URL]).toEqual([9102, urls.PAY_ORDERS_NATS_URL, undefined]);
});
