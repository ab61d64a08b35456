import { keyEvents, sessionEvents } from '@tollbridge/contracts';
import { modeOf } from '@tollbridge/api-keys';
import { hearEvents } from '@tollbridge/rpc';
import type { ServiceParts } from '@tollbridge/bootstrap';
import { KnownKeys } from './auth/known-keys';
import { KnownSessions } from './auth/known-sessions';
import { suspectLookups } from './auth/suspect-lookups';
import type { GatewayConfig } from './config';
import { admission, type Admit } from './http/admission';
import { addressRates } from './rate-limit/address-rates';
import { readProxies } from './rate-limit/client-address';
import { FailedAttempts } from './rate-limit/failed-attempts';
import { forwardingWarning } from './rate-limit/forwarding-warning';
import { withOperationLimits } from './rate-limit/operation-limits';
import { SharedCounts } from './rate-limit/shared-counts';

/** Connects what decides who is let in: the keys that the merchant app knows, and the counts that replicas share. */
export async function openAdmission(
  { bus, busClient, logger }: Pick<ServiceParts, 'bus' | 'busClient' | 'logger'>,
  config: GatewayConfig,
): Promise<{ admit: Admit; close(): void }> {
  const { environment } = config;
  if (environment === 'sandbox')
    logger.warn('wallets are believed by the header x-wallet alone, without a proof: this is the sandbox');
  const keys = new KnownKeys(busClient, modeOf(environment));
  const sessions = new KnownSessions(busClient, modeOf(environment));
  const hearings = [
    hearEvents(bus, keyEvents['api-key-changed'], {
      onEvent: ({ data }) => keys.forget(data.id),
      onGap: () => keys.forgetAll(),
    }),
    hearEvents(bus, sessionEvents['session-revoked'], {
      onEvent: ({ data }) => sessions.forget(data.id),
      onGap: () => sessions.forgetAll(),
    }),
  ];
  const counts = new SharedCounts(config.GATEWAY_REDIS_URL, logger);
  await counts.opened;
  const proxies = readProxies(config.GATEWAY_TRUSTED_PROXIES)!;
  const admit = admission({
    keys,
    sessions,
    counts,
    failedKeys: new FailedAttempts(counts, 'keys'),
    failedProofs: new FailedAttempts(counts, 'proofs'),
    suspectLookup: suspectLookups(),
    environment,
    addressRate: addressRates[environment],
    proxies,
    onUnproven: (unproven) => logger.warn(unproven, 'a wallet was named that was not proven'),
  });
  const limited = withOperationLimits(admit, { counts, proxies });
  const warnOfForwarding = forwardingWarning(logger, proxies);
  return {
    admit(operation, request, reply) {
      warnOfForwarding(request.raw);
      return limited(operation, request, reply);
    },
    close() {
      for (const hearing of hearings) hearing.stop();
      counts.close();
    },
  };
}
