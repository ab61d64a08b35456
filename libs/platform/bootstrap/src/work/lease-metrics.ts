import type { Metrics } from '@tollbridge/observability';
import type { Counter, Gauge } from 'prom-client';

/** Metrics of the leases of this replica. */
export class LeaseMetrics {
  private readonly held: Gauge<'lease'>;
  private readonly acquired: Counter<'lease'>;
  private readonly lost: Counter<'lease'>;

  constructor(metrics: Metrics) {
    this.held = metrics.gauge(
      'tollbridge_lease_held',
      '1 while this replica holds the lease of the work, 0 while another replica does or none',
      ['lease'],
    );
    this.acquired = metrics.counter('tollbridge_lease_acquired_total', 'Leases that this replica acquired', [
      'lease',
    ]);
    this.lost = metrics.counter(
      'tollbridge_lease_lost_total',
      'Leases that this replica could not renew in time',
      ['lease'],
    );
  }

  count(lease: string, change: 'candidate' | 'acquired' | 'lost' | 'released'): void {
    this.held.set({ lease }, change === 'acquired' ? 1 : 0);
    this.acquired.inc({ lease }, change === 'acquired' ? 1 : 0);
    this.lost.inc({ lease }, change === 'lost' ? 1 : 0);
  }
}
