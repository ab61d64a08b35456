import type { Payment } from '../rules/payment';

/**
 * Returns one statement for all channels of a batch, in the transaction of its commit. `charged` of a held payment is
 * the remainder of its reservation.
 */
export const channelsUpsert = (payments: readonly Payment[]) => ({
  name: 'channels-upsert',
  text: `
    WITH changed AS (
      SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::integer[], $6::bigint[],
        $7::integer[], $8::bytea[], $9::integer[], $10::boolean[], $11::bytea[])
      AS c (id, valid_before, rest, unit, length, ends_ms, link_index, link, units, is_open, anchor)),
    rests AS (
      UPDATE payments p SET charged = c.rest FROM changed c
      WHERE p.confirmation_id = c.id AND p.valid_before = c.valid_before AND p.charged <> c.rest)
    INSERT INTO channels AS known (confirmation_id, unit, length, anchor, ends_ms, link_index, link, units, is_open)
    SELECT id, unit, length, anchor, ends_ms, link_index, link, units, is_open FROM changed
    ON CONFLICT (confirmation_id) DO UPDATE SET ends_ms = excluded.ends_ms, link_index = excluded.link_index,
      link = excluded.link, units = excluded.units, is_open = excluded.is_open`,
  values: columnsOf(payments),
});

function columnsOf(payments: readonly Payment[]): unknown[][] {
  const all = payments.map((payment) => ({ payment, channel: payment.channel! }));
  return [
    all.map(({ payment }) => payment.confirmationId.toString('hex')),
    all.map(({ payment }) => payment.validBeforeS),
    all.map(({ payment }) => payment.chargedAtomic),
    all.map(({ channel }) => channel.unitAtomic),
    all.map(({ channel }) => channel.length),
    all.map(({ channel }) => channel.endMs),
    all.map(({ channel }) => channel.index),
    all.map(({ channel }) => channel.link),
    all.map(({ channel }) => channel.units),
    all.map(({ channel }) => channel.isOpen),
    all.map(({ channel }) => channel.anchor),
  ];
}
