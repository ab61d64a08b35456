import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { FreeForm, OneOf } from './decorators';

export class ReadHealthRequest {}

export class HealthReply {
  @OneOf(['ok', 'standby', 'unavailable'], 'The worst of the checks')
  status: 'ok' | 'standby' | 'unavailable';
  @FreeForm(
    { type: 'object', additionalProperties: { type: 'string' } },
    'The result of each check of the process that answered',
    { example: { bus: 'ok', database: 'ok' } },
  )
  checks: Record<string, string>;
}

/**
 * Health operation that `/health/services` of the gateway calls in each app. It reports the readiness of the called
 * process.
 */
const healthOf = (app: string) =>
  internalFeature(app, 'health', {
    readHealth: internalOperation({
      summary: `Read the readiness of ${app}`,
      input: ReadHealthRequest,
      output: HealthReply,
      timeoutMs: 2_000,
      isRead: true,
    }),
  });

export const payOrdersHealthApi = healthOf('pay-orders');
export const txEngineHealthApi = healthOf('tx-engine');
export const merchantHealthApi = healthOf('merchant');
export const serviceApiHealthApi = healthOf('service-api');
export const nanopayHealthApi = healthOf('nanopay');
export const teeHealthApi = healthOf('tee');
export const sandboxHealthApi = healthOf('sandbox');

/** Health operations of the apps that answer calls. */
export const healthApis = [
  payOrdersHealthApi,
  txEngineHealthApi,
  merchantHealthApi,
  serviceApiHealthApi,
  nanopayHealthApi,
  teeHealthApi,
  sandboxHealthApi,
];
