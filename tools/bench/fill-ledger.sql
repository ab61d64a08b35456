-- A ledger with {transactions} payments of one wallet, in the form that the merchant app posts them sequentially.
DO $fill$
DECLARE
  owner constant text := '{wallet}';
  per_segment constant integer := 5000;
  previous bytea := decode(repeat('00', 32), 'hex');
  current bytea;
  transaction_id uuid;
  happened constant timestamptz := date_trunc('second', now());
BEGIN
  INSERT INTO ledgers (wallet) VALUES (owner);
  FOR n IN 1..{transactions} LOOP
    transaction_id := gen_random_uuid();
    current := sha256(convert_to(concat_ws(E'\n', encode(previous, 'hex'), owner, n, transaction_id, 'payment',
      'paylink:' || owner || '.' || n, 1, floor(extract(epoch FROM happened) * 1000)::bigint,
      'payer', 'ton', 'TON', -n, 'merchant:received', 'ton', 'TON', n), 'UTF8'));
    INSERT INTO ledger_transactions VALUES
      (owner, n, transaction_id, 'payment', 'paylink:' || owner || '.' || n, 1, happened, previous, current);
    INSERT INTO ledger_entries VALUES
      (owner, n, 1, 'payer', 'ton', 'TON', -n), (owner, n, 2, 'merchant:received', 'ton', 'TON', n);
    previous := current;
  END LOOP;
  INSERT INTO ledger_sums
  SELECT owner, (seq - 1) / per_segment, 'ton', 'TON', sum(amount), sum(amount), sum(amount), 0, 0,
    2 * count(*), count(*)
  FROM ledger_entries WHERE wallet = owner AND position = 2 GROUP BY (seq - 1) / per_segment;
  INSERT INTO ledger_checks SELECT owner, segment, NULL, now() + interval '1 day' FROM ledger_sums WHERE wallet = owner;
  UPDATE ledgers SET last_seq = {transactions}, last_hash = previous WHERE wallet = owner;
END $fill$;
