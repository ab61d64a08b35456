import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Payments1796400000000 implements MigrationInterface {
  readonly name = 'Payments1796400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(payments);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_days, payments, payment_requests');
  }
}

const payments = `
  CREATE TABLE payment_requests (
    -- Random: whoever knows it may see and pay it.
    id uuid PRIMARY KEY,
    wallet text NOT NULL,
    amount numeric(78,0) NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    chain text NOT NULL,
    description text NOT NULL,
    -- As it came: jsonb would refuse what JSON allows.
    metadata json,
    receive_address text NOT NULL,
    success_url text,
    expires_at timestamptz,
    canceled_at timestamptz,
    -- Payments with a transaction that waits for confirmations, and those that are completed.
    seen_payments integer NOT NULL DEFAULT 0 CHECK (seen_payments >= 0),
    completed_payments integer NOT NULL DEFAULT 0 CHECK (completed_payments >= 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );

  -- Executions of requests. What is fixed by the request stands here too, so that lists read one table.
  CREATE TABLE payments (
    id uuid PRIMARY KEY,
    request_id uuid NOT NULL REFERENCES payment_requests,
    wallet text NOT NULL,
    amount numeric(78,0) NOT NULL,
    currency text NOT NULL,
    chain text NOT NULL,
    description text NOT NULL,
    from_chain text NOT NULL,
    from_token text NOT NULL,
    strategy text NOT NULL CHECK (strategy IN ('direct', 'swap', 'bridge', 'swap_and_bridge')),
    -- Empty where a direct payment named none.
    payer_address text NOT NULL,
    -- Who is making the order, and until when nobody else does; over once there is an order.
    claim uuid NOT NULL,
    lease_until timestamptz,
    -- Why no order could be made: such a row is no payment, and gives way to the next attempt.
    refusal json,
    order_id uuid UNIQUE,
    -- What the payer was told of it.
    order_reply json,
    order_expires_at timestamptz,
    estimated_seconds integer,
    order_status text NOT NULL
      CHECK (order_status IN ('waiting_payment', 'settling', 'settled', 'failed', 'expired')),
    status text NOT NULL CHECK (status IN ('executing', 'completed', 'failed', 'expired')),
    pay_tx text,
    settle_tx text,
    settled_amount numeric(78,0),
    -- US dollars.
    settled_value numeric CHECK (settled_value >= 0),
    failure_reason text,
    -- The day, UTC, in whose sums it is.
    counted_on date,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT payments_order CHECK ((order_id IS NULL) = (order_reply IS NULL)
      AND (order_id IS NULL) = (order_expires_at IS NULL) AND (order_id IS NULL OR lease_until IS NULL)),
    CONSTRAINT payments_counted CHECK ((status = 'completed') = (counted_on IS NOT NULL))
  );
  CREATE INDEX payments_request ON payments (request_id, created_at DESC);
  -- A wallet's list and its filters are answered from the index alone.
  CREATE INDEX payments_wallet ON payments (wallet, created_at DESC, id DESC) INCLUDE (status, currency, chain)
    WHERE order_id IS NOT NULL;
  CREATE INDEX payments_wallet_status ON payments (wallet, status, created_at DESC, id DESC)
    WHERE order_id IS NOT NULL;
  -- What a process left behind that fell.
  CREATE INDEX payments_unplaced ON payments (lease_until) WHERE order_id IS NULL;

  -- Sums of completed payments: what statistics read, however many payments there are.
  CREATE TABLE payment_days (
    wallet text NOT NULL,
    day date NOT NULL,
    currency text NOT NULL,
    chain text NOT NULL,
    payments integer NOT NULL CHECK (payments >= 0),
    unpriced integer NOT NULL CHECK (unpriced >= 0),
    -- Smallest unit. A sum may be larger than any single amount.
    amount numeric NOT NULL CHECK (amount >= 0),
    value_usd numeric NOT NULL CHECK (value_usd >= 0),
    PRIMARY KEY (wallet, day, currency, chain)
  );
`;
