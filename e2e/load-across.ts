import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import type { PayerAcross } from './payer-across';

export type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<{ rows: Row[] }>;

interface Acknowledged {
  address: string;
  amount: bigint;
  paidBy?: string;
}

// The amount identifies the request of a minted address. The last digits avoid the endings that select another outcome
// than a delivery.
const leastAmount = 20_000_000n;
const mostRequests = 6_000;

/** Orders across chains under load, and the invariants that must be true after any kill. */
export class LoadAcross {
  /** Acknowledged orders, by id. */
  private readonly acknowledged = new Map<string, Acknowledged>();
  private readonly merchant = Wallet.createRandom().address;
  private requests = 0;

  constructor(
    private readonly payer: PayerAcross,
    private readonly query: Query,
  ) {}

  /** Creates orders and pays deposits for every second one. Submits half of the deposits. */
  async keepPaying(signal: AbortSignal): Promise<void> {
    for (let round = 0; !signal.aborted && this.requests < mostRequests; round++) {
      const amount = leastAmount + BigInt(this.requests++);
      const terms = { merchant_address: this.merchant, merchant_amount: String(amount) };
      const created = await this.payer.tryToCreate(terms).catch(() => undefined);
      if (created?.status !== 200) {
        if (created) expect(created.status).toBeGreaterThanOrEqual(500);
        await pause(50);
        continue;
      }
      const { order_id: id, cross_chain: deposit } = created.body;
      const acknowledged: Acknowledged = { address: deposit.deposit_address, amount };
      this.acknowledged.set(id, acknowledged);
      if (round % 2 === 0) continue;
      acknowledged.paidBy = await this.payer.deposit(created.body);
      if (round % 4 === 1) await this.payer.report(id, acknowledged.paidBy).catch(() => undefined);
      await pause(100);
    }
  }

  /** Acknowledged orders with a paid deposit. */
  get paid(): [string, Acknowledged][] {
    return [...this.acknowledged].filter(([, { paidBy }]) => paidBy !== undefined);
  }

  /** Each exactly once: in the order record, and in the merchant's balance. */
  async everyPaidOrderSettles(): Promise<void> {
    const { paid } = this;
    process.stdout.write(
      `${this.acknowledged.size} orders across chains were acknowledged, ${paid.length} paid\n`,
    );
    await eventually(
      async () => {
        const { rows } = await this.query<{ id: string; status: string; pay_tx: string }>(
          'SELECT id, status, pay_tx FROM pay_orders.orders WHERE id = ANY($1::uuid[])',
          [paid.map(([id]) => id)],
        );
        const payments = new Map(
          rows.filter(({ status }) => status === 'settled').map(({ id, pay_tx }) => [id, pay_tx]),
        );
        expect(paid.filter(([id, { paidBy }]) => payments.get(id) !== paidBy)).toEqual([]);
      },
      { timeoutMs: 90_000, everyMs: 500 },
    );
    const owed = paid.reduce((sum, [, { amount }]) => sum + amount, 0n);
    expect(await this.payer.destination.balanceOf('USDC', this.merchant)).toBe(owed);
    const { rows } = await this.query<{ claims: string; orders: string }>(
      'SELECT count(*) AS claims, count(DISTINCT order_id) AS orders FROM pay_orders.settlement_claims',
    );
    expect(rows).toEqual([{ claims: String(paid.length), orders: String(paid.length) }]);
  }

  async everyAcknowledgedOrderHasItsAddress(): Promise<void> {
    const { rows } = await this.query<{ id: string; address: string | null; outcome: string | null }>(
      `SELECT o.id, d.address, c.outcome FROM pay_orders.orders o
       LEFT JOIN pay_orders.deposits d ON d.order_id = o.id
       LEFT JOIN pay_orders.route_commits c ON c.order_id = o.id WHERE o.method = 'CrossChain'`,
    );
    expect(rows.filter(({ address, outcome }) => address === null || outcome !== 'committed')).toEqual([]);
    const stored = new Map(rows.map(({ id, address }) => [id, address]));
    expect([...this.acknowledged].filter(([id, { address }]) => stored.get(id) !== address)).toEqual([]);
    const { rows: committed } = await this.query(
      `SELECT order_id FROM pay_orders.route_commits c WHERE outcome = 'committed'
       AND NOT EXISTS (SELECT FROM pay_orders.orders o WHERE o.id = c.order_id)`,
    );
    expect(committed).toEqual([]);
  }

  /** Every address from the provider belongs to an order, or to a request with an unknown outcome. */
  async everyMintedAddressIsAccountedFor(): Promise<void> {
    const { rows } = await this.query<{
      minted: string;
      amount: string;
      order_id: string | null;
      outcome: string | null;
      address: string | null;
    }>(`SELECT s.deposit_address AS minted, s.response->'quoteRequest'->>'amount' AS amount,
          c.order_id, c.outcome, d.address
        FROM sandbox.swaps s
        LEFT JOIN pay_orders.route_commits c
          ON c.request->>'amountOutAtomic' = s.response->'quoteRequest'->>'amount'
        LEFT JOIN pay_orders.deposits d ON d.order_id = c.order_id`);
    // Two would mean a repeated request.
    expect(new Set(rows.map(({ amount }) => amount)).size).toBe(rows.length);
    const orphans = rows.filter(({ minted, address }) => minted !== address);
    const isExplained = ({ order_id: id, outcome, address }: (typeof rows)[number]): boolean =>
      id !== null && address === null && (outcome ?? 'unknown') === 'unknown' && !this.acknowledged.has(id);
    expect(orphans.filter((orphan) => !isExplained(orphan))).toEqual([]);
    process.stdout.write(
      `${rows.length} addresses were minted, ${orphans.length} of them without an acknowledged order\n`,
    );
  }

  /** Accounts that have a balance because of these orders. */
  async owners(): Promise<string[]> {
    const { rows } = await this.query<{ deposit_address: string }>(
      'SELECT deposit_address FROM sandbox.swaps WHERE deposit_key IS NOT NULL',
    );
    return [this.merchant, ...rows.map(({ deposit_address }) => deposit_address)];
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
