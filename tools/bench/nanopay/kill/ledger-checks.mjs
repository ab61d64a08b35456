// Verifies the invariants of the ledger, from its tables alone.
import { createRequire } from 'node:module';

const { genesisHead, isReceipt, nextHead, receiptDigest } = createRequire(import.meta.url)(
  '@tollbridge/nanopay-protocol',
);

/** Thrown for a violated invariant. */
export class Finding extends Error {
  isFinding = true;
}

const find = (text, details) => {
  throw new Finding(
    `${text}: ${JSON.stringify(details, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`,
  );
};

/** Verifies the receipt chain from its beginning, a part with each call. */
export class ReceiptChain {
  seq = 0n;
  head = genesisHead;

  async follow(query) {
    const rows = await query(
      `SELECT * FROM (
         SELECT 'charge' AS type, digest, charged AS amount, seq, charged_ms AS ms, previous_head FROM tee.payments WHERE seq > $1
         UNION ALL
         SELECT 'refund', p.digest, r.amount, r.seq, r.refunded_ms, r.previous_head
         FROM tee.refunds r JOIN tee.payments p USING (confirmation_id) WHERE r.seq > $1) chain ORDER BY seq`,
      [this.seq],
    );
    let { seq, head } = this;
    for (const row of rows) {
      if (BigInt(row.seq) !== ++seq)
        find('the chain of receipts has a gap or a fork', { seq, found: row.seq });
      if (!row.previous_head.equals(head)) find('a receipt does not follow the previous head', { seq });
      const entry = { seq, unixMs: BigInt(row.ms), previousHead: head, amountAtomic: BigInt(row.amount) };
      head = nextHead(head, receiptDigest({ type: row.type, digest: row.digest, ...entry }));
    }
    const [ledger] = await query('SELECT seq, head FROM tee.ledger');
    if (BigInt(ledger.seq) !== seq || !ledger.head.equals(head))
      find('the stored head differs from the receipt chain', { seq, at: ledger.seq });
    Object.assign(this, { seq, head });
  }
}

/** Verifies the sums of the ledger, in total and for each account. */
export async function checkBalances(query) {
  const [sums] = await query(`
    SELECT sum(deposited - withdrawn - settled) = sum(available + reserved) + sum(earned - settled) AS adds_up,
      sum(spent) = sum(earned) AS is_earned, count(*) AS accounts,
      count(*) FILTER (WHERE deposited <> available + reserved + spent + withdrawn) AS broken,
      (SELECT coalesce(sum(charged), 0) FROM tee.payments WHERE state = 'captured') = sum(spent) AS is_charged,
      (SELECT coalesce(sum(charged), 0) FROM tee.payments WHERE state = 'held') = sum(reserved) AS is_held
    FROM tee.accounts`);
  const { adds_up: addsUp, is_earned: isEarned, is_charged: isCharged, is_held: isHeld, broken } = sums;
  if (!addsUp || !isEarned || !isCharged || !isHeld || Number(broken) > 0)
    find('the ledger does not add up', sums);
}

const portion = 5_000;

/** Verifies that each grant is charged, with the receipt that the buyer received. @param {Grant[]} grants */
export async function checkGrants(query, grants, enclaveKey) {
  for (let at = 0; at < grants.length; at += portion) {
    const some = grants.slice(at, at + portion);
    const rows = await paymentsOf(
      query,
      some.map(({ receipt }) => receipt.confirmationId),
    );
    for (const grant of some) checkGrant(grant, rows.get(grant.receipt.confirmationId), enclaveKey);
  }
}

function checkGrant({ digest, receipt }, row, enclaveKey) {
  const { confirmationId } = receipt;
  if (!row) find('a grant is not in the ledger', { confirmationId });
  if (row.state !== 'captured') find('a grant was not charged', { confirmationId, state: row.state });
  const reported = [receipt.seq, receipt.previousHead, receipt.timestampMs, receipt.amount, receipt.digest];
  const stored = [
    row.seq,
    row.previous_head.toString('hex'),
    row.charged_ms,
    row.charged,
    row.digest.toString('hex'),
  ];
  if (reported.join() !== stored.join()) find('a receipt differs from the ledger', { reported, stored });
  if (!isReceipt(receipt, enclaveKey, digest)) find('a receipt is not signed', { confirmationId });
}

/** Returns rows by confirmation id. */
export async function paymentsOf(query, confirmationIds) {
  const rows = await query('SELECT * FROM tee.payments WHERE confirmation_id = ANY($1::uuid[])', [
    confirmationIds,
  ]);
  return new Map(rows.map((row) => [row.confirmation_id.replaceAll('-', ''), row]));
}
