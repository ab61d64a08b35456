// Lists the orders of a payer. The duration must not depend on the payer's number of orders.
import { randomBytes } from 'node:crypto';
import { getAddress } from 'ethers';

const manyOrders = 50_000;
const pageSize = 20;

/**
 * The last row has two orders on its page, to show the cost of the orders of a page.
 * @param parts `admin`, a superuser of the database; `measureHttp` with a key without a rate limit; `send`
 */
export function listRows(gateway, { admin, measureHttp, send }) {
  const row = (name, count, of) => {
    const payer = getAddress(`0x${randomBytes(20).toString('hex')}`);
    const request = { path: `/api/v1/pay/orders?payer=${payer}&limit=${pageSize}` };
    let prepared;
    return {
      name,
      ...(of && { of }),
      table: `${count.toLocaleString('en')} orders of the payer`,
      run: async (inFlight, seconds) => {
        await (prepared ??= prepare({ admin, payer, count, list: () => send(gateway, request) }));
        return measureHttp(gateway, () => request, inFlight, seconds);
      },
    };
  };
  const few = 'list 20 orders of a payer with 21';
  return [
    row(few, pageSize + 1),
    row('list 20 orders of a payer with 50,000', manyOrders, few),
    row('list 2 orders of a payer with 2', 2),
  ];
}

/** Inserts copies of a settled order, one per minute. */
async function prepare({ admin, payer, count, list }) {
  await admin.query(
    `INSERT INTO pay_orders.orders
     SELECT copy.* FROM (SELECT to_jsonb(o) AS made FROM pay_orders.orders o WHERE status = 'settled' LIMIT 1) one,
       generate_series(1, $2::int) n,
       jsonb_populate_record(NULL::pay_orders.orders, made || jsonb_build_object(
         'id', gen_random_uuid(), 'payer_address', $1::text, 'created_at', now() - n * interval '1 minute')) copy`,
    [payer, count],
  );
  await admin.query('VACUUM (ANALYZE) pay_orders.orders');
  const { orders } = JSON.parse(await list());
  if (orders.length !== Math.min(count, pageSize)) throw new Error(`listed ${orders.length} orders`);
}
