-- {orders} orders of 50,000 payers at 1,000 merchants over 170 days. Most are settled, and 2 % are waiting. Unpaid
-- orders older than 180 days would be deleted during the run (RETENTION_UNPAID_ORDERS_DAYS).
INSERT INTO pay_orders.orders (id, status, method, pay_chain, pay_token, settle_chain, settle_token, merchant_address,
  merchant_amount, fee_receiver, fee_amount, merchant_id, payer_address, contract_address, token_in_address, pay_tx,
  reported_at, paid_height, settle_tx, settled_amount, version, created_at, updated_at, expires_at, settled_value_usd)
SELECT overlay(overlay(md5('order ' || n) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid,
  status, 'Direct', 'eip155:10', 'USDC', 'eip155:10', 'USDC', address('merchant ' || n % 1000),
  amount, address('fees'), amount / 200, 'shop-' || n % 1000, address('payer ' || n::bigint * 7919 % 50000),
  address('contract'), address('token'),
  pay_tx, CASE WHEN pay_tx IS NOT NULL THEN made_at + interval '1 minute' END, CASE WHEN pay_tx IS NOT NULL THEN n END,
  pay_tx, CASE WHEN pay_tx IS NOT NULL THEN amount END,
  CASE status WHEN 'settled' THEN 3 WHEN 'expired' THEN 2 ELSE 1 END,
  made_at, made_at + interval '2 minutes',
  CASE status WHEN 'waiting_payment' THEN now() + interval '1 day' ELSE made_at + interval '30 minutes' END,
  CASE WHEN pay_tx IS NOT NULL THEN amount / 1000000.0 END
FROM generate_series(1, {orders}) n,
  LATERAL (SELECT CASE WHEN n % 50 = 0 THEN 'waiting_payment' WHEN n % 50 < 8 THEN 'expired'
      ELSE 'settled' END AS status,
    1000000 + n % 500000 * 100 AS amount,
    date_trunc('milliseconds', now() - n * (interval '170 days' / {orders})) AS made_at) made,
  LATERAL (SELECT CASE status WHEN 'settled' THEN '0x' || md5('pay ' || n) || md5('tx ' || n) END AS pay_tx) paid;
