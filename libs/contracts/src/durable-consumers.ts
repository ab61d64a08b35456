/**
 * The durable consumers of each app's event stream. The app deletes an event only after each of them acknowledged it,
 * also while a consumer does not exist yet (decision 33).
 */
export const durableConsumers: Readonly<Record<string, readonly string[]>> = {
  'pay-orders': ['merchant-orders'],
  'tx-engine': ['merchant-transactions'],
  'service-api': ['merchant-purchases', 'merchant-payouts'],
};
