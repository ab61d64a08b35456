import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sales1799600000000 implements MigrationInterface {
  readonly name = 'Sales1799600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Payments for operations that are sold without an account. Each pays for one request.
      CREATE TABLE sales (
        id uuid PRIMARY KEY,
        scheme text NOT NULL,
        network text NOT NULL,
        asset text NOT NULL,
        payer text NOT NULL,
        nonce text NOT NULL,
        operation text NOT NULL,
        input_hash text NOT NULL,
        offer_hash text NOT NULL,
        purchase_kind text NOT NULL,
        state text NOT NULL CONSTRAINT sales_state_check
          CHECK (state IN ('claimed', 'rejected', 'settled', 'bought', 'refunding', 'refunded', 'stuck')),
        amount numeric(78, 0) NOT NULL,
        cost numeric(78, 0) NOT NULL,
        cost_usd numeric NOT NULL,
        price_usd numeric NOT NULL,
        payment json NOT NULL,
        settle_tries integer NOT NULL DEFAULT 0,
        lease_until timestamptz,
        transaction text,
        failure json,
        refund_amount numeric(78, 0),
        refund json,
        refund_transaction text,
        check_at timestamptz,
        checks integer NOT NULL DEFAULT 0,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL,
        settled_at timestamptz,
        CONSTRAINT sales_payment_key UNIQUE (scheme, network, asset, payer, nonce),
        CONSTRAINT sales_amounts CHECK (amount > 0 AND cost >= 0 AND cost <= amount AND refund_amount <= amount),
        CONSTRAINT sales_failed
          CHECK (state NOT IN ('rejected', 'refunding', 'refunded', 'stuck') OR failure IS NOT NULL),
        CONSTRAINT sales_refund
          CHECK (state NOT IN ('refunding', 'refunded', 'stuck') OR refund_amount IS NOT NULL)
      );
      CREATE INDEX sales_payer ON sales (payer, created_at);
      CREATE INDEX sales_created ON sales (created_at);
      CREATE INDEX sales_due ON sales (check_at) WHERE check_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sales');
  }
}
