import type { Environment } from '@tollbridge/config';
import type { Rate } from './rate';

/** What an address is allowed without a key. The sandbox is like production, so that nothing surprises there. */
export const addressRates: Record<Environment, Rate> = {
  production: { perMinute: 1_000, burst: 2_000 },
  test: { perMinute: 100, burst: 200 },
  sandbox: { perMinute: 1_000, burst: 2_000 },
};
