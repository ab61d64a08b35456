import { orderHistoryApi, type OrderHistoryReply } from '@tollbridge/contracts';
import type { BusClient } from '@tollbridge/rpc';
import { findChain } from '@tollbridge/chains';
import { audited, Leases, prunedUntil, type Database, type OperatorAction } from '@tollbridge/database';
import { walletOf } from '../orders/order-change';
import { payLinkVersion, recordOfPayLink, recordsOf, type DashboardRecord } from './dashboard-record';
import { DashboardRepository } from './dashboard.repository';
import { Generations, type Comparison } from './generations.repository';
import { PayLinkHistory, type PastPayment } from './paylink-history.repository';

// When the rebuilding process is killed, another one may start after this time.
const leaseMs = 10_000;

export interface Rebuild {
  events: number;
  /** The number of records that were copied, because their events are deleted. */
  copied: number;
  comparison: Comparison;
}

export interface RebuildOptions {
  onProgress?: (events: number) => void;
  /** The operator for the audit log. */
  operator: Omit<OperatorAction, 'action' | 'target'>;
}

/**
 * Rebuilds the dashboard from the stored events as a new generation, and shows it when it is complete. Meanwhile the
 * app records every event in both generations, so none is lost. Records without stored events are copied from the
 * generation that is shown.
 */
export async function rebuildDashboard(
  database: Database,
  bus: Pick<BusClient, 'call'>,
  { onProgress = () => undefined, operator }: RebuildOptions,
): Promise<Rebuild> {
  const action = { ...operator, action: 'rebuild', target: 'dashboard' };
  const leases = new Leases({ pool: database.pool, leaseMs });
  const lease = leases.candidate('rebuild dashboard');
  try {
    await leases.start();
    // Each page is committed on its own. The switch of the generation and the audit record share one transaction, so
    // merchants see only a complete rebuild.
    const built = await (lease.isHeld ? build(database, bus, onProgress) : alreadyRunning()).catch(
      (error: unknown) => error as Error,
    );
    const rebuilt = await audited(database.pool, action, async (client) => {
      if (built instanceof Error) throw built;
      const { active, building, events, copied, comparison } = built;
      if (!(await new Generations(database.pool).show(building, client)))
        throw new Error('Another process has started to rebuild the dashboard. Nothing was changed.');
      const after = { generation: building, events, copied, differing: comparison.differing };
      return { result: { events, copied, comparison }, before: { generation: active }, after };
    });
    await new Generations(database.pool).deleteUnused();
    return rebuilt;
  } finally {
    await leases.stop();
  }
}

const alreadyRunning = (): Promise<never> =>
  Promise.reject(new Error('Another process is rebuilding the dashboard.'));

interface Built extends Rebuild {
  active: number;
  building: number;
}

async function build(
  database: Database,
  bus: Pick<BusClient, 'call'>,
  onProgress: (events: number) => void,
): Promise<Built> {
  const generations = new Generations(database.pool);
  const dashboard = new DashboardRepository(database);
  const { active, building } = await generations.begin();
  const store = (records: DashboardRecord[]) =>
    generations.inTransaction((client) => dashboard.recordIn(client, building, records));
  let events = 0;
  let copied = 0;
  let ordersPrunedUntil: string | undefined;
  for await (const { events: page, prunedUntil } of historyPages(bus)) {
    await store(page.flatMap(({ order, type }) => recordsOf(order, type, walletOf(order))));
    ordersPrunedUntil = prunedUntil;
    onProgress((events += page.length));
  }
  for await (const page of new PayLinkHistory(database).pages()) {
    await store(page.map(recordOfPast));
    onProgress((events += page.length));
  }
  // Read after the history, so that the times include events that were pruned meanwhile.
  const horizons = {
    orders: ordersPrunedUntil ? new Date(ordersPrunedUntil) : undefined,
    paylinks: await prunedUntil(database.pool, 'outbox'),
  };
  for await (const page of dashboard.recordsBefore(active, horizons)) {
    await store(page);
    copied += page.length;
  }
  return { active, building, events, copied, comparison: await generations.compare(active, building) };
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
    // Events of earlier versions do not have this field, and no merchant confirmed those payments.
    isConfirmed: payment.confirmed ?? false,
    isCounted,
    version: payLinkVersion(payment.version, isCounted),
    changedAtMs: Date.parse(payment.updated_at),
  });
}

/** Pages of the order history. The last page is empty. */
async function* historyPages(bus: Pick<BusClient, 'call'>): AsyncGenerator<OrderHistoryReply> {
  let afterSeq = 0;
  for (;;) {
    const page = await bus.call(orderHistoryApi.operations.orderHistory, { afterSeq });
    yield page;
    if (page.events.length === 0) return;
    afterSeq = page.events.at(-1)!.seq;
  }
}
