-- {transactions} transactions of one wallet over three years, with their sums, in the form that the merchant app
-- stores.
INSERT INTO dashboard_transactions (generation, id, wallet, tx_type, order_id, version, outcome, is_own, is_seen,
  was_completed, amount, fee_amount, token, network, value_usd, tx_hash, counterparty, description, late, created_at,
  updated_at)
SELECT (SELECT active FROM dashboard_state), id, '{wallet}', 'payment', id, 3, outcome, true, outcome = 'completed',
  outcome = 'completed', 1 + n % 5000000, 5000, token, network,
  CASE WHEN outcome = 'completed' AND n % 50 > 0 THEN round((1 + n % 500000) / 100.0, 2) END,
  '0x' || encode(sha256(n::text::bytea), 'hex'),
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'Order of shop-' || n % 100, false, made_at,
  made_at + interval '7 seconds'
FROM generate_series(1, {transactions}) n,
  LATERAL (SELECT gen_random_uuid() AS id,
    CASE WHEN n % 10 < 8 THEN 'completed' WHEN n % 10 = 8 THEN 'failed' ELSE 'expired' END AS outcome,
    (ARRAY['USDC', 'USDT', 'ETH', 'DAI'])[1 + n % 4] AS token,
    (ARRAY['eip155:1', 'eip155:8453', 'eip155:42161', 'eip155:137', 'eip155:10', 'solana', 'ton'])[1 + n % 7]
      AS network,
    date_trunc('milliseconds', now() - n * (interval '1095 days' / {transactions})) AS made_at) made;

INSERT INTO dashboard_sums (generation, wallet, day, network, token, completed, unsuccessful, expired, unpriced,
  amount, value_usd)
SELECT generation, wallet, day, network, token, count(*) FILTER (WHERE outcome = 'completed'),
  count(*) FILTER (WHERE outcome <> 'completed'), count(*) FILTER (WHERE outcome = 'expired'),
  count(*) FILTER (WHERE outcome = 'completed' AND value_usd IS NULL),
  coalesce(sum(amount) FILTER (WHERE outcome = 'completed'), 0), coalesce(sum(value_usd), 0)
FROM dashboard_transactions, LATERAL (VALUES ((updated_at AT TIME ZONE 'UTC')::date), ('-infinity'::date)) d (day)
WHERE wallet = '{wallet}' GROUP BY generation, wallet, day, network, token;
