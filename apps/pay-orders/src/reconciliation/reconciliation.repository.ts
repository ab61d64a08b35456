import type { Database } from '@tollbridge/database';
import type { Order } from '../orders/order';
import { fromRow } from '../orders/storage/order-rows';
import type { OrderRow } from '../orders/storage/orders.entity';
import type { KnownOrders } from './reconcile';

/**
 * Reads the data that a reconciliation compares with the chain. Uses SQL for `= ANY` with up to 100,000 ids in one
 * parameter.
 */
export class ReconciliationRepository implements KnownOrders {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  async ordersOf(chain: string, ids: readonly string[]): Promise<Order[]> {
    const { rows } = await this.database.pool.query<OrderRow>(
      `SELECT * FROM orders WHERE id = ANY($1::uuid[]) AND pay_chain = $2 AND method = 'Direct'`,
      [ids, chain],
    );
    return rows.map(fromRow);
  }

  async knownMerchants(addresses: readonly string[]): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ merchant_address: string }>(
      'SELECT DISTINCT merchant_address FROM orders WHERE merchant_address = ANY($1::text[])',
      [[...new Set(addresses)]],
    );
    return rows.map(({ merchant_address }) => merchant_address);
  }
}
