/**
 * The durable consumers of each app's event stream. The app deletes no event from its stream that one of them has not
 * acknowledged, also while the consumer does not exist yet (decision 33).
 */
export const durableConsumers: Readonly<Record<string, readonly string[]>> = {
  'pay-orders': ['merchant-orders'],
  'tx-engine': ['merchant-transactions'],
  'service-api': ['merchant-purchases', 'merchant-payouts'],
};
