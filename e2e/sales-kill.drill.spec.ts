import { eventually } from '@tollbridge/testing';
import { Pool } from 'pg';
import { Harness, startTimeoutMs } from './harness';
import { Api } from './http';
import { Payer } from './payer';
import { fundedAtomic, pause, SalesBuyer, UsdcLedger } from './sales-buyers';

// Services sold by 402 while the facilitator and the shop are killed. Each payment is settled at most once. A settled
// payment is bought or refunded, also if the public facilitator settled it first.

const victims = ['pay-orders', 'service-api'];
const kills = Number(process.env['KILLS'] ?? 20);
const buyerCount = 6;
// Payments of each buyer. The test requests all responses at the end, and a buyer's balance covers this number.
const paymentsEach = 15;
// Printed, so that KILL_SEED can repeat a failed run.
const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 31);

let harness: Harness;
let api: Api;
let database: Pool;
let payer: Payer;
let usdc: UsdcLedger;
let buyers: SalesBuyer[];

interface Sale {
  payer: string;
  nonce: string;
  state: string;
  amount: string;
  refund_amount: string | null;
}

beforeAll(async () => {
  process.stdout.write(`KILL_SEED=${seed}\n`);
  const limits = { SALES_DAY_USD: '100000', SALES_PAYER_DAY_USD: '1000', FACILITATOR_PER_MINUTE: '1000' };
  harness = await Harness.start({ ...limits, FACILITATOR_TOTAL_PER_MINUTE: '10000' });
  api = await Api.at(harness.gateway);
  payer = await Payer.in(api);
  usdc = new UsdcLedger({ provider: payer.provider, token: payer.token('USDC') });
  buyers = [];
  for (let at = 0; at < buyerCount; at++) buyers.push(await SalesBuyer.open(harness.gateway, payer));
  const connectionString = harness.state.urls.postgres.replace(/\/postgres$/, '/tollbridge');
  database = new Pool({ connectionString, max: 2 });
  database.on('error', () => undefined);
}, startTimeoutMs);

afterAll(async () => {
  payer?.close();
  await database?.end();
  await harness?.remove();
});

it(`settles each payment at most once, and completes or refunds each sale, while ${victims.join(' and ')} are killed ${kills} times`, async () => {
  const load = new AbortController();
  // Every other buyer leaves after a lost response.
  const loads = buyers.map((buyer, at) =>
    keepBuying(buyer, { isPatient: at % 2 === 0, settlesFirst: at % 3 === 2 }, load.signal),
  );
  let [hit, restartMs] = [0, 0];
  try {
    for (let at = 0; at < kills; at++) {
      // A slow machine also needs longer for a settlement.
      await pause(random() * Math.max(1_500, 2 * restartMs));
      const startMs = performance.now();
      hit += await kill(victims[Math.floor(random() * victims.length)]!);
      restartMs = performance.now() - startMs;
    }
  } finally {
    load.abort();
    await Promise.allSettled(loads);
  }
  await Promise.all(loads);
  // Leases of dead processes expire, so patient buyers receive their responses.
  await advance('70s');
  await eventually(
    async () =>
      expect(await Promise.all(buyers.map((buyer) => buyer.askAgain()))).toEqual(buyers.map(() => 0)),
    { timeoutMs: 90_000, everyMs: 300 },
  );
  await untilNumbersHaveCodes();
  // Abandoned payments are due, and authorizations that were never sent have expired.
  await advance('15m');
  const sales = await untilAllEnded();
  const sent = buyers.flatMap((buyer) => buyer.sent);
  const settledFirst = buyers.reduce((sum, buyer) => sum + buyer.settledFirst, 0);
  process.stdout.write(
    `${sent.length} payments were sent, ${settledFirst} of them settled before, ${hit} were under way at kills: ${summary(sales)}\n`,
  );
  expect(settledFirst).toBeGreaterThan(0);
  expect(hit).toBeGreaterThan(kills / 2);
  expect(sales.length).toBeGreaterThan(kills);
  expect(sales.filter(({ state }) => state === 'bought').length).toBeGreaterThan(buyerCount);
  expectAnswersHold(sales);
  await expectSettledOnce(sales);
  await expectBoughtOnce(sales);
  await expectMoneyAdds(sales);
}, 420_000);

async function advance(by: string): Promise<void> {
  await eventually(async () => expect((await api.post('/sandbox/clock', { by })).status).toBe(200));
}

/** A buyer that settles first does so with every other payment. */
async function keepBuying(
  buyer: SalesBuyer,
  { isPatient, settlesFirst }: { isPatient: boolean; settlesFirst: boolean },
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; !signal.aborted && buyer.sent.length < paymentsEach; at++) {
    await buyer.buy(isPatient, settlesFirst && at % 2 === 0);
    if (at % 4 === 3) await buyer.askAgain();
    await pause(random() * 1_000);
  }
}

/**
 * Sends SIGKILL and waits for the replacement.
 * @returns the number of pending payments
 */
async function kill(victim: string): Promise<number> {
  const before = harness.state.pids;
  const { rows } = await query<{ count: string }>(
    `SELECT count(*) FROM service_api.sales WHERE state IN ('claimed', 'settled', 'refunding')`,
  );
  process.kill(before[victim]!, 'SIGKILL');
  await eventually(
    async () => {
      expect(harness.state.pids[victim]).not.toBe(before[victim]);
      expect((await fetch(`${harness.state.urls.management[victim]}/health/ready`)).status).toBe(200);
    },
    { timeoutMs: 30_000, everyMs: 50 },
  );
  return Number(rows[0]!.count);
}

/** A number without a code is returned when its time is over. */
async function untilNumbersHaveCodes(): Promise<void> {
  const text = `SELECT status, count(*) FROM service_api.purchases WHERE status = 'pending' GROUP BY 1`;
  await eventually(async () => expect((await query(text)).rows).toEqual([]), {
    timeoutMs: 40_000,
    everyMs: 500,
  });
}

async function untilAllEnded(): Promise<Sale[]> {
  return eventually(
    async () => {
      const text = 'SELECT payer, nonce, state, amount, refund_amount FROM service_api.sales';
      const { rows: sales } = await query<Sale>(text);
      const isEnded = ({ state }: Sale) => ['bought', 'refunded', 'rejected'].includes(state);
      expect(sales.filter((sale) => !isEnded(sale))).toEqual([]);
      const { rows } = await query(`SELECT id, state FROM pay_orders.x402_settlements WHERE state = 'sent'`);
      expect(rows).toEqual([]);
      return sales;
    },
    { timeoutMs: 90_000, everyMs: 500 },
  );
}

/** A buyer's response must match the record. */
function expectAnswersHold(sales: readonly Sale[]): void {
  const states = new Map(sales.map((sale) => [keyOf(sale), sale.state]));
  const allowed: Record<string, (string | undefined)[]> = {
    // A number without a code is returned and refunded later.
    bought: ['bought', 'refunded'],
    declined: ['refunded'],
    unpaid: ['rejected', undefined],
    unknown: ['bought', 'refunded', 'rejected', undefined],
  };
  const wrong = buyers
    .flatMap((buyer) => buyer.sent)
    .filter((sent) => !allowed[sent.answer]!.includes(states.get(keyOf(sent))));
  expect(wrong).toEqual([]);
}

async function expectSettledOnce(sales: readonly Sale[]): Promise<void> {
  const used = await usdc.usedAuthorizations();
  expect(new Set(used).size).toBe(used.length);
  const isUsed = new Set(used);
  for (const sale of sales) {
    const isPaid = sale.state !== 'rejected';
    expect([keyOf(sale), isUsed.has(keyOf(sale))]).toEqual([keyOf(sale), isPaid]);
  }
  // No payment was settled without a sale.
  const known = new Set(sales.map(keyOf));
  const own = new Set(buyers.map(({ address }) => address.toLowerCase()));
  expect(used.filter((key) => own.has(key.split(' ')[0]!) && !known.has(key))).toEqual([]);
  const { rows } = await query(`SELECT network, sender FROM pay_orders.x402_settlements
    GROUP BY network, sender HAVING count(DISTINCT sender_nonce) <> max(sender_nonce) - min(sender_nonce) + 1`);
  expect(rows).toEqual([]);
}

/** Each payment bought one number, and each number is different at the provider. */
async function expectBoughtOnce(sales: readonly Sale[]): Promise<void> {
  const { rows } = await query<{ wallet: string; provider_id: string | null }>(
    `SELECT lower(wallet) AS wallet, provider || ' ' || provider_id AS provider_id FROM service_api.purchases WHERE status = 'completed'`,
  );
  for (const { address } of buyers) {
    const wallet = address.toLowerCase();
    const bought = sales.filter((sale) => sale.payer === wallet && sale.state === 'bought').length;
    expect([wallet, rows.filter((row) => row.wallet === wallet).length]).toEqual([wallet, bought]);
  }
  const ids = rows.map((row) => row.provider_id);
  expect(new Set(ids).size).toBe(ids.length);
}

/** Each buyer has its initial balance minus its purchases. */
async function expectMoneyAdds(sales: readonly Sale[]): Promise<void> {
  for (const { address } of buyers) {
    const own = sales.filter((sale) => sale.payer === address.toLowerCase() && sale.state !== 'rejected');
    const spent = own.reduce((sum, sale) => sum + BigInt(sale.amount) - BigInt(sale.refund_amount ?? 0), 0n);
    expect([address, await usdc.balanceOf(address)]).toEqual([address, fundedAtomic - spent]);
  }
}

const keyOf = ({ payer: of, nonce }: { payer: string; nonce: string }): string => `${of} ${nonce}`;

function summary(sales: readonly Sale[]): string {
  const counts = new Map<string, number>();
  for (const { state } of sales) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}

/** The drill does not kill the database, but its pool may be busy. */
const query = <Row extends object>(text: string): Promise<{ rows: Row[] }> =>
  eventually(() => database.query<Row>(text), { timeoutMs: 20_000, everyMs: 100 });

let state = seed;
/** A small linear congruential generator: the same seed kills in the same order. */
function random(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x80000000;
}
