import { Injectable } from '@nestjs/common';
import type { OrderChanged } from '@tollbridge/api';
import type { PoolClient } from 'pg';

/** The orders of merchants as the pay service told of them last. */
@Injectable()
export class OrdersRepository {
  /** Keeps the order unless something newer is known, and answers what was known; the row stays locked. */
  async note(
    client: PoolClient,
    order: OrderChanged,
    wallet: string,
  ): Promise<{ before: OrderChanged | null; isNewest: boolean }> {
    // Two events of one order wait here for each other, also its first two.
    await client.query('INSERT INTO orders (id, wallet, version) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING', [
      order.order_id,
      wallet,
    ]);
    const known = await client.query<{ version: number; data: OrderChanged | null }>(
      'SELECT version, data FROM orders WHERE id = $1 FOR UPDATE',
      [order.order_id],
    );
    const { version, data: before } = known.rows[0]!;
    const isNewest = order.version > version;
    if (isNewest)
      await client.query('UPDATE orders SET version = $2, data = $3, settled_by = $4 WHERE id = $1', [
        ...[order.order_id, order.version, JSON.stringify(order)],
        order.settle_tx === null ? null : settlementKey(order.settle_chain, order.settle_tx),
      ]);
    return { before, isNewest };
  }

  /** Whether this transaction settles an order, as far as is known. @param chain its id in the registry, as orders tell it */
  async isSettledBy(client: PoolClient, chain: string, txHash: string): Promise<boolean> {
    const { rowCount } = await client.query({
      name: 'orders-settled-by',
      text: 'SELECT FROM orders WHERE settled_by = $1 LIMIT 1',
      values: [settlementKey(chain, txHash)],
    });
    return rowCount! > 0;
  }
}

const settlementKey = (chain: string, txHash: string): string => `${chain}:${txHash}`.toLowerCase();
