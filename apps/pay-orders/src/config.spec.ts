import { readConfig } from './config';

const given = {
  TOLLBRIDGE_ENV: 'sandbox',
  PAY_ORDERS_NATS_URL: 'nats://pay-orders:secret@127.0.0.1:4222',
  PAY_ORDERS_DATABASE_URL: 'postgres://pay_orders:secret@127.0.0.1:5432/tollbridge',
  CHAINS_FILE: './chains.json',
};

it('readConfig has a default for everything except secrets and addresses', () => {
  expect(readConfig(given)).toMatchObject({
    PAY_ORDERS_LIFETIME_SECONDS: 1_800,
    PAY_ORDERS_DATABASE_CONNECTIONS: 20,
    PAY_ORDERS_STREAM_MAX_MB: 256,
  });
});

it('readConfig reports all missing settings at once, without any secret', () => {
  const read = () =>
    readConfig({
      TOLLBRIDGE_ENV: 'sandbox',
      PAY_ORDERS_LIFETIME_SECONDS: '0',
      PAY_ORDERS_NATS_URL: 'http://secret',
    });

  expect(read).toThrow(
    /PAY_ORDERS_NATS_URL .*[^]*PAY_ORDERS_DATABASE_URL is missing[^]*CHAINS_FILE is missing[^]*PAY_ORDERS_LIFETIME_SECONDS/,
  );
  expect(read).not.toThrow(/secret/);
});
