import { keyEvents } from '@tollbridge/api';
import { modeOf } from '@tollbridge/api-keys';
import { hearEvents } from '@tollbridge/bus';
import type { ServiceParts } from '@tollbridge/service';
import { KnownKeys } from './auth/known-keys';
import type { GatewayConfig } from './config';
import { admission, type Admit } from './http/admission';
import { addressRates } from './rate-limit/address-rates';
import { readProxies } from './rate-limit/client-address';
import { FailedAttempts } from './rate-limit/failed-attempts';
import { SharedCounts } from './rate-limit/shared-counts';

/** Connects what decides who is let in: the keys that the merchant app knows, and the counts that replicas share. */
export async function openAdmission(
  { bus, busClient, logger }: Pick<ServiceParts, 'bus' | 'busClient' | 'logger'>,
  config: GatewayConfig,
): Promise<{ admit: Admit; close(): void }> {
  const keys = new KnownKeys(busClient, modeOf(config.environment));
  const hearing = hearEvents(bus, keyEvents['api-key-changed'], {
    onEvent: ({ data }) => keys.forget(data.id),
    onGap: () => keys.forgetAll(),
  });
  const counts = new SharedCounts(config.GATEWAY_REDIS_URL, logger);
  await counts.opened;
  const admit = admission({
    keys,
    counts,
    failures: new FailedAttempts(counts),
    addressRate: addressRates[config.environment],
    proxies: readProxies(config.GATEWAY_TRUSTED_PROXIES)!,
  });
  return {
    admit,
    close() {
      hearing.stop();
      counts.close();
    },
  };
}
