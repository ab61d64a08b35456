import { Injectable } from '@nestjs/common';
import type { Conversion, PaymentReference } from '@tollbridge/contracts';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';

/** The merchant's own texts in the payment request or PayLink of a record. */
export interface RecordReference extends PaymentReference {
  /** Empty when the merchant wrote no description. */
  description: string;
  /** The price of the payment; null for an amount of the token. */
  conversion: Conversion | null;
}

/** The reference of a record without a payment request or a PayLink. */
export const noReference: RecordReference = {
  payment_request_id: null,
  paylink_id: null,
  description: '',
  metadata: null,
  conversion: null,
};

type Client = Pick<Pool, 'query'>;

/**
 * Reads the merchant's own texts of records from the payment requests and PayLinks. They are never copied, so records
 * of any age have them. Uses SQL for one lookup by unique keys for a whole page.
 */
@Injectable()
export class PaymentReferences {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /**
   * The references by id.
   * @param recordIds ids of orders and of PayLink payments
   */
  async of(recordIds: readonly string[], client: Client = this.pool): Promise<Map<string, RecordReference>> {
    const ids = [...new Set(recordIds)];
    if (ids.length === 0) return new Map();
    const { rows } = await client.query<RecordReference & { id: string }>({
      name: 'payment-references',
      text: `SELECT p.order_id AS id, r.id AS payment_request_id, r.paylink_id, r.description, r.metadata, p.conversion
             FROM payments p JOIN payment_requests r ON r.id = p.request_id WHERE p.order_id = ANY($1::uuid[])
             UNION ALL
             SELECT p.id, NULL, l.id, l.description, l.metadata, NULL
             FROM paylink_payments p JOIN paylinks l ON l.id = p.paylink_id WHERE p.id = ANY($1::uuid[])`,
      values: [ids],
    });
    return new Map(rows.map(({ id, ...reference }) => [id, reference]));
  }
}
