import { providerActivity } from '@tollbridge/http';
import type { Metrics } from '@tollbridge/observability';

/** Exposes durations of calls to providers and the state of their circuits. An app without providers has no series. */
export function observeProviders(metrics: Metrics): void {
  const seconds = metrics.histogram(
    'http_client_request_duration_seconds',
    'Time of a call to a provider, with its wait; `error_type` is empty for an answer',
    ['provider', 'error_type'],
  );
  providerActivity.listen({
    onAnswered: (provider, took, failure) => seconds.observe({ provider, error_type: failure }, took),
  });
  metrics.gauge(
    'tollbridge_circuit_open',
    '1 while calls to the provider fail immediately, since most of the last ones failed',
    ['provider'],
    (gauge) => {
      for (const [provider, open] of providerActivity.openCircuits) gauge.set({ provider }, open > 0 ? 1 : 0);
    },
  );
}
