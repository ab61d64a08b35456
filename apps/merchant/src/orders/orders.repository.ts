import { Injectable } from '@nestjs/common';
import type { OrderChanged } from '@tollbridge/contracts';
import type { PoolClient } from 'pg';
import type { OrderChange, OrderEvent } from './order-change';

interface OrderRow {
  id: string;
  /** 0 for a row that was inserted only to lock it, see `lockOrder`. */
  version: number;
  data: OrderChanged | null;
}

/**
 * Copies of orders from their newest events. Uses SQL for row locks and set-based writes (benchmark "merchant consumes
 * order events").
 */
@Injectable()
export class OrdersRepository {
  /**
   * Stores the newest event of each order, unless a newer event is stored already. The rows stay locked.
   * @returns the change that each event makes, in the same order
   */
  async record(client: PoolClient, events: readonly OrderEvent[]): Promise<OrderChange[]> {
    const newest = new Map<string, OrderEvent>();
    for (const event of events) {
      const known = newest.get(event.order.order_id);
      if (!known || event.order.version > known.order.version) newest.set(event.order.order_id, event);
    }
    const added = await insertOrders(client, [...newest.values()]);
    const others = [...newest.keys()].filter((id) => !added.has(id));
    const locked = others.length === 0 ? [] : await lockOrders(client, others);
    // PostgreSQL normalises a UUID in another spelling, so a lookup by the given spelling would not find the row.
    if (added.size + locked.length !== newest.size)
      throw new Error('an order id is not a UUID in its canonical form');
    const changes = changesOf(events, locked);
    const versions = new Map(locked.map(({ id, version }) => [id, version]));
    const isNewer = ({ order }: OrderEvent): boolean => order.version > versions.get(order.order_id)!;
    const changed = others.map((id) => newest.get(id)!).filter(isNewer);
    if (changed.length > 0) await updateOrders(client, changed);
    return changes;
  }

  /** Whether this transaction settles a known order. @param chain its id in the registry */
  async isSettledBy(client: PoolClient, chain: string, txHash: string): Promise<boolean> {
    const { rowCount } = await client.query({
      name: 'orders-settled-by',
      text: 'SELECT FROM orders WHERE settled_by = $1 LIMIT 1',
      values: [settlementKey(chain, txHash)],
    });
    return rowCount! > 0;
  }
}

/**
 * Locks the row of an order until the end of the transaction. Inserts the row before the first event of the order.
 * Handlers of the order's events lock it too.
 */
export async function lockOrder(
  client: PoolClient,
  id: string,
  wallet: string,
): Promise<OrderChanged | null> {
  await client.query({
    name: 'order-insert-empty',
    text: 'INSERT INTO orders (id, wallet, version) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING',
    values: [id, wallet],
  });
  const [row] = await lockOrders(client, [id]);
  return row!.data;
}

/**
 * Inserts rows by id, and locks by id afterwards, so that concurrent batches with the same orders do not deadlock.
 * @returns the inserted ids
 */
async function insertOrders(client: PoolClient, events: readonly OrderEvent[]): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>({
    name: 'orders-insert',
    text: `INSERT INTO orders (id, wallet, version, data, settled_by)
           SELECT id, wallet, version, data, settled_by FROM json_populate_recordset(NULL::orders, $1) ORDER BY id
           ON CONFLICT DO NOTHING RETURNING id`,
    values: [rowsOf(events)],
  });
  return new Set(rows.map(({ id }) => id));
}

async function lockOrders(client: PoolClient, ids: readonly string[]): Promise<OrderRow[]> {
  const { rows } = await client.query<OrderRow>({
    name: 'orders-lock',
    text: 'SELECT id, version, data FROM orders WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
    values: [ids],
  });
  return rows;
}

async function updateOrders(client: PoolClient, events: readonly OrderEvent[]): Promise<void> {
  await client.query({
    name: 'orders-update',
    text: `UPDATE orders o SET wallet = g.wallet, version = g.version, data = g.data, settled_by = g.settled_by
           FROM json_populate_recordset(NULL::orders, $1) g WHERE o.id = g.id`,
    values: [rowsOf(events)],
  });
}

const rowsOf = (events: readonly OrderEvent[]): string =>
  JSON.stringify(
    events.map(({ order, wallet }) => ({
      id: order.order_id,
      wallet,
      version: order.version,
      data: order,
      settled_by: order.settle_tx === null ? null : settlementKey(order.settle_chain, order.settle_tx),
    })),
  );

/** The change of each event relative to the state before it. */
function changesOf(events: readonly OrderEvent[], locked: readonly OrderRow[]): OrderChange[] {
  const known = new Map<string, Pick<OrderRow, 'version' | 'data'>>(locked.map((row) => [row.id, row]));
  return events.map((event) => {
    const { order } = event;
    const { version, data: before } = known.get(order.order_id) ?? { version: 0, data: null };
    const isNewest = order.version > version;
    if (isNewest) known.set(order.order_id, { version: order.version, data: order });
    return { ...event, before, isNewest };
  });
}

const settlementKey = (chain: string, txHash: string): string => `${chain}:${txHash}`.toLowerCase();
