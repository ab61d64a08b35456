import { Injectable } from '@nestjs/common';
import type { PaymentReference } from '@tollbridge/contracts';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';

/** What the merchant wrote into the payment request of an order. */
export interface OrderReference extends PaymentReference {
  /** Empty where the merchant wrote none. */
  description: string;
}

/** Of an order that belongs to no payment request. */
export const noReference: OrderReference = { payment_request_id: null, description: '', metadata: null };

type Client = Pick<Pool, 'query'>;

/**
 * Reads the merchant's own references of orders where they are shown, from the payment requests themselves: records of
 * any age have them, and no copy can differ. SQL: one look-up by unique keys for a whole page.
 */
@Injectable()
export class PaymentReferences {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** The references by order id; an order without a payment request has none. */
  async of(
    orderIds: readonly (string | null)[],
    client: Client = this.pool,
  ): Promise<Map<string, OrderReference>> {
    const ids = [...new Set(orderIds.filter((id) => id !== null))];
    if (ids.length === 0) return new Map();
    const { rows } = await client.query<OrderReference & { order_id: string }>({
      name: 'payment-references.repository',
      text: `SELECT p.order_id, r.id AS payment_request_id, r.description, r.metadata
             FROM payments p JOIN payment_requests r ON r.id = p.request_id WHERE p.order_id = ANY($1::uuid[])`,
      values: [ids],
    });
    return new Map(rows.map(({ order_id: orderId, ...reference }) => [orderId, reference]));
  }
}
