import { KeptFiatRates } from '@tollbridge/rates';
import type { ManualClock } from '@tollbridge/testing';
import { TokenValues } from '../chains/token-values';
import type { Merchant } from './merchant';

/** Resolves when all replicas have read the current prices and exchange rates. Advances the clock by a minute. */
export async function readAllRates(merchant: Merchant, clock: ManualClock): Promise<void> {
  // A read in progress has the time of its start.
  await refresh(merchant);
  // Rates of the last minute are not read again.
  clock.advance(61_000);
  await refresh(merchant);
}

async function refresh({ apps }: Merchant): Promise<void> {
  for (const { context } of apps) {
    await context.get(TokenValues, { strict: false }).refresh();
    await context.get(KeptFiatRates, { strict: false }).refresh();
  }
}
