import { orderHistoryApi, type PastOrderEvent } from '@tollbridge/contracts';
import type { BusClient } from '@tollbridge/rpc';
import { findChain } from '@tollbridge/chains';
import { Leases, type Database } from '@tollbridge/database';
import { walletOf } from '../orders/order-change';
import { payLinkVersion, recordOfPayLink, recordsOf, type DashboardRecord } from './dashboard-record';
import { DashboardRepository } from './dashboard.repository';
import { Generations, type Comparison } from './generations.repository';
import { PayLinkHistory, type PastPayment } from './paylink-history.repository';

// After this time another process may rebuild when the first one was killed.
const leaseMs = 10_000;

export interface Rebuild {
  events: number;
  comparison: Comparison;
}

/**
 * Rebuilds the dashboard from the history of events, beside the generation that is shown, and shows the new one when it is
 * complete. The app records every event in both meanwhile, so none is lost between the last page and the switch.
 */
export async function rebuildDashboard(
  database: Database,
  bus: Pick<BusClient, 'call'>,
  onProgress: (events: number) => void = () => undefined,
): Promise<Rebuild> {
  const leases = new Leases({ pool: database.pool, leaseMs });
  const lease = leases.candidate('rebuild dashboard');
  try {
    await leases.start();
    if (!lease.isHeld) throw new Error('Another process is rebuilding the dashboard.');
    const generations = new Generations(database.pool);
    const dashboard = new DashboardRepository(database);
    const { active, building } = await generations.begin();
    let events = 0;
    for await (const page of historyPages(bus)) {
      const records = page.flatMap(({ order, type }) => recordsOf(order, type, walletOf(order)));
      await generations.inTransaction((client) => dashboard.recordIn(client, building, records));
      onProgress((events += page.length));
    }
    for await (const page of new PayLinkHistory(database).pages()) {
      const records = page.map(recordOfPast);
      await generations.inTransaction((client) => dashboard.recordIn(client, building, records));
      onProgress((events += page.length));
    }
    const comparison = await generations.compare(active, building);
    if (!(await generations.show(building)))
      throw new Error('Another process has started to rebuild the dashboard. Nothing was changed.');
    await generations.deleteUnused();
    return { events, comparison };
  } finally {
    await leases.stop();
  }
}

function recordOfPast({ payment, isCounted }: PastPayment): DashboardRecord {
  return recordOfPayLink({
    id: payment.payment_id,
    wallet: payment.wallet_address,
    linkName: payment.name,
    network: findChain(payment.network)!.id,
    token: payment.token,
    amount: BigInt(payment.amount),
    txHash: payment.tx_hash,
    payer: payment.payer,
    valueUsd: payment.value_usd,
    isVerified: payment.verified,
    // Events of earlier versions lack the field: no merchant confirmed those.
    isConfirmed: payment.confirmed ?? false,
    isCounted,
    version: payLinkVersion(payment.version, isCounted),
    changedAtMs: Date.parse(payment.updated_at),
  });
}

async function* historyPages(bus: Pick<BusClient, 'call'>): AsyncGenerator<PastOrderEvent[]> {
  let afterSeq = 0;
  for (;;) {
    const { events } = await bus.call(orderHistoryApi.operations.orderHistory, { afterSeq });
    if (events.length === 0) return;
    yield events;
    afterSeq = events.at(-1)!.seq;
  }
}
