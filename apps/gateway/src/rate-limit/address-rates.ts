import type { Environment } from '@tollbridge/config';
import type { Rate } from './rate';

/**
 * Rate limits of an address, for requests without a key. The sandbox has the production rate, so that tests are
 * realistic.
 */
export const addressRates: Record<Environment, Rate> = {
  production: { perMinute: 1_000, burst: 2_000 },
  test: { perMinute: 100, burst: 200 },
  sandbox: { perMinute: 1_000, burst: 2_000 },
};
