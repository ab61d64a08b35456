import { ledgerApi, orderEvents, type OrderChanged, type OrderEventType } from '@tollbridge/contracts';
import { callContext, walletPrincipal, type EventEnvelope } from '@tollbridge/rpc';
import { anEventEnvelope } from '@tollbridge/rpc/testing';
import { ManualClock } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { Budgets } from '../budgets/budgets';
import { aReserveRequest } from '../budgets/testing/reserve-request.builder';
import { Merchant } from '../testing/merchant';
import { oneOf, randomHistory, randomOf, type Random } from '../testing/order-histories';
import type { PublishedOrder } from '../testing/published-order';
import { OrdersWorker } from './orders.worker';

jest.setTimeout(240_000);

const noonMs = Date.parse('2026-11-20T12:00:00Z');
const clock = new ManualClock(noonMs);
/** The first merchant app handles events one at a time, the second in batches. */
let single: Merchant;
let batching: Merchant;

beforeAll(async () => {
  [single, batching] = await Promise.all([Merchant.start({ clock }), Merchant.start({ clock })]);
});
afterAll(async () => {
  await Promise.all([single?.close(), batching?.close()]);
});

/** A merchant with an endpoint, a key with a budget, and a payment request. */
interface Shop {
  wallet: string;
  hasEndpoint: boolean;
  keyId: string;
  budgetUsd: string | null;
  requestId: string;
}

const newShop = (random: Random): Shop => ({
  wallet: Wallet.createRandom().address,
  hasEndpoint: random() < 0.7,
  keyId: uuid(),
  budgetUsd: random() < 0.7 ? '900' : null,
  requestId: randomUUID(),
});

async function open(merchant: Merchant, shop: Shop): Promise<void> {
  const { wallet, keyId, budgetUsd: monthlyBudgetUsd, requestId } = shop;
  await merchant.makeKey({ id: keyId, owner: wallet, monthlyBudgetUsd });
  if (shop.hasEndpoint) await merchant.addWebhookEndpoint(wallet);
  await merchant.database.query(
    `INSERT INTO payment_requests (id, wallet, amount, currency, chain, description, receive_address, created_at, updated_at)
     VALUES ($1, $2, 1000000, 'USDC', 'eip155:8453', '', $2, $3, $3)`,
    [requestId, wallet, new Date(noonMs)],
  );
}

/** Reserves the cost of an order from the budget of the key. */
async function reserve(
  merchant: Merchant,
  { keyId }: Shop,
  reference: string,
  valueUsd: string,
): Promise<void> {
  const request = aReserveRequest({ keyId, reference, valueUsd, attempt: 'one' });
  await merchant.apps[0]!.context.get(Budgets, { strict: false }).reserve(request, callContext());
}

/** Assigns an order to a payment. */
async function place(merchant: Merchant, shop: Shop, paymentId: string, orderId: string): Promise<void> {
  await merchant.database.query(
    `INSERT INTO payments (id, request_id, wallet, amount, currency, chain, description, from_chain, from_token, strategy,
       payer_address, claim, order_id, order_reply, order_expires_at, estimated_seconds, order_status, status, created_at, updated_at)
     VALUES ($1, $2, $3, 1000000, 'USDC', 'eip155:8453', '', 'eip155:8453', 'USDC', 'direct', $5, $1, $4, '{}', $6, 1,
       'waiting_payment', 'executing', $6, $6)`,
    [paymentId, shop.requestId, shop.wallet, orderId, paymentId, new Date(noonMs)],
  );
}

const envelopeOf = ({ id, type, order }: PublishedOrder) =>
  anEventEnvelope({
    id,
    type,
    version: orderEvents[type as OrderEventType].version,
    aggregateId: order.order_id,
    aggregateVersion: order.version,
    occurredAt: order.updated_at,
    data: order,
  });

/** Interleaves the events of all orders, mostly in the order of versions. Some events arrive early, and some twice. */
function interleaved(random: Random, histories: readonly PublishedOrder[][]): EventEnvelope<OrderChanged>[] {
  const left = histories.map((history) => [...history]);
  const mixed: PublishedOrder[] = [];
  while (left.some(({ length }) => length > 0)) {
    const from = oneOf(
      random,
      left.filter(({ length }) => length > 0),
    );
    mixed.push(...from.splice(random() < 0.2 ? Math.floor(random() * from.length) : 0, 1));
    if (random() < 0.1) mixed.push(oneOf(random, mixed));
  }
  return mixed.map(envelopeOf);
}

async function handle(merchant: Merchant, events: readonly EventEnvelope<OrderChanged>[]): Promise<void> {
  await merchant.apps[0]!.context.get(OrdersWorker, { strict: false })['handle'](events);
}

/** All rows that are derived from orders, without random ids and hashes. */
async function everything(merchant: Merchant): Promise<Record<string, unknown[]>> {
  const queries = {
    orders: 'SELECT to_jsonb(o) AS row FROM orders o ORDER BY id',
    dashboard: 'SELECT to_jsonb(t) AS row FROM dashboard_transactions t ORDER BY id',
    sums: `SELECT to_jsonb(s) AS row FROM dashboard_sums s
           WHERE (completed, unsuccessful, unpriced, confirmed, amount, value_usd) IS DISTINCT FROM (0, 0, 0, 0, 0, 0)
           ORDER BY wallet, day, network, token`,
    ledger: `SELECT to_jsonb(t) - '{id,hash,previous_hash}'::text[] AS row FROM ledger_transactions t ORDER BY wallet, seq`,
    entries: 'SELECT to_jsonb(e) AS row FROM ledger_entries e ORDER BY wallet, seq, position',
    ledgerSums: 'SELECT to_jsonb(s) AS row FROM ledger_sums s ORDER BY wallet, segment, chain, token',
    heads: `SELECT to_jsonb(l) - 'last_hash' AS row FROM ledgers l ORDER BY wallet`,
    webhooks: `SELECT to_jsonb(m) - '{id,traceparent}'::text[] AS row FROM webhook_messages m ORDER BY wallet, type, payload`,
    payments: 'SELECT to_jsonb(p) AS row FROM payments p ORDER BY id',
    requests: 'SELECT to_jsonb(r) AS row FROM payment_requests r ORDER BY id',
    days: 'SELECT to_jsonb(d) AS row FROM payment_days d ORDER BY wallet, day, currency, chain',
    months: 'SELECT to_jsonb(m) AS row FROM key_months m ORDER BY key_id, month',
    spends: 'SELECT to_jsonb(s) AS row FROM key_spends s ORDER BY reference',
    events: `SELECT subject, payload->'data' AS data FROM outbox WHERE subject LIKE 'events.merchant.key-budget%'
             ORDER BY aggregate_id, subject`,
  };
  const tables: Record<string, unknown[]> = {};
  for (const [name, text] of Object.entries(queries)) tables[name] = await merchant.database.query(text);
  return tables;
}

describe('OrdersWorker', () => {
  it('handles events in batches with the same effect as one at a time, in any order', async () => {
    const run = async (seed: number, sizes: readonly number[]): Promise<void> => {
      const random = randomOf(seed);
      const shops = Array.from({ length: 3 }, () => newShop(random));
      const histories = Array.from({ length: 20 }, () => {
        const shop = oneOf(random, shops);
        return {
          shop,
          history: randomHistory(random, shop.wallet, { fromMs: noonMs - 86_400_000, days: 1 }),
        };
      });
      const events = interleaved(
        random,
        histories.map(({ history }) => history),
      );
      const prepared = histories.map(({ shop, history }) => {
        const [reserves, pays, value] = [random() < 0.5, random() < 0.4, 50 + Math.floor(random() * 300)];
        return { shop, orderId: history[0]!.order.order_id, paymentId: randomUUID(), reserves, pays, value };
      });
      for (const merchant of [single, batching]) {
        for (const shop of shops) await open(merchant, shop);
        for (const { shop, orderId, paymentId, reserves, pays, value } of prepared) {
          // Both apps reject a reservation above the budget.
          if (reserves) await reserve(merchant, shop, orderId, String(value)).catch(() => undefined);
          if (pays) await place(merchant, shop, paymentId, orderId);
        }
      }
      for (const event of events) await handle(single, [event]);
      for (let at = 0, turn = 0; at < events.length; turn++) {
        const size = sizes[turn % sizes.length]!;
        await handle(batching, events.slice(at, at + size));
        at += size;
      }
      expect(await everything(batching)).toEqual(await everything(single));
      for (const { wallet } of shops) {
        const proof = await batching.call(ledgerApi.operations.proveLedger, {}, walletPrincipal(wallet));
        expect(proof).toMatchObject({ ok: true });
      }
    };
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    // Disables the bias towards the bounds, because equal seeds would create equal ids.
    const seeds = fc.noBias(fc.integer({ min: 1 }));
    await fc.assert(fc.asyncProperty(seeds, sizes, run), { numRuns: 8, endOnFailure: true });
    // Every compared table must have rows.
    const tables = await everything(batching);
    for (const [name, rows] of Object.entries(tables)) expect([name, rows.length > 0]).toEqual([name, true]);
  });
});
