// Throughput of the merchant app on a backlog of order events, until all of them are handled and acknowledged.
import { randomBytes, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { getAddress } from 'ethers';
import { eventSigner } from './event-signer.mjs';

const { v7: uuid } = createRequire(import.meta.url)('uuid');

// A measurement that is compared with the target needs 200,000 events.
const backlog = Number(process.env.BENCH_BACKLOG ?? 50_000);
const [stream, consumer] = ['PAY_ORDERS', 'merchant-orders'];
const merchants = 500;
const publishedAtOnce = 1_000;
// Of ten orders, four are paid, one expires, and the others wait.
const paidShare = 0.4;
const expiredShare = 0.1;
// Of ten orders, six are created by their merchant. Of ten merchants, two have an endpoint.
const ownShare = 0.6;
const endpointEvery = 5;
/** Number of other events between two events of one order. */
const distance = 200;

/**
 * @param deployment pids and identities of the apps
 * @param parts `nats` and `admin`, like those of the other rows
 */
export function consumerRows(deployment, { nats, admin }) {
  const wallets = Array.from({ length: merchants }, () => getAddress(`0x${randomBytes(20).toString('hex')}`));
  const sign = eventSigner(deployment, 'pay-orders');
  let isPrepared = false;
  const run = async () => {
    if (!isPrepared) await addEndpoints(admin, wallets);
    isPrepared = true;
    const manager = await nats.jetstreamManager();
    const pid = deployment.pids.merchant;
    // The consumer keeps its connection, but receives nothing while the stream is filled.
    process.kill(pid, 'SIGSTOP');
    try {
      await fill(nats, wallets, sign);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    const startedMs = performance.now();
    await untilHandled(manager);
    const milliseconds = performance.now() - startedMs;
    // Messages of this measurement must not affect the next one.
    await admin.query(`DELETE FROM merchant.webhook_messages WHERE wallet = ANY($1::text[])`, [wallets]);
    return { rate: (backlog * 1_000) / milliseconds, p50: milliseconds, p99: milliseconds, failures: 0 };
  };
  return [{ name: 'merchant consumes order events', of: 'raw pg insert', levels: [1], run }];
}

/** Adds endpoints. Their messages are stored but not sent, because another row measures sending. */
async function addEndpoints(admin, wallets) {
  const withEndpoint = wallets.filter((_, index) => index % endpointEvery === 0);
  await admin.query(
    `INSERT INTO merchant.webhook_endpoints (wallet, url, secret, secret_created_at, not_before, created_at)
     SELECT wallet, 'http://127.0.0.1:9/', '\\x00', now(), 'infinity', now() FROM unnest($1::text[]) wallet`,
    [withEndpoint],
  );
}

async function fill(nats, wallets, sign) {
  const jetstream = nats.jetstream({ timeout: 30_000 });
  let page = [];
  for (const event of events(wallets, backlog)) {
    page.push(publish(jetstream, event, sign));
    if (page.length < publishedAtOnce) continue;
    await Promise.all(page);
    page = [];
  }
  await Promise.all(page);
}

function publish(jetstream, event, sign) {
  const subject = `events.pay-orders.${event.type}.v1`;
  const { data, headers } = sign(subject, JSON.stringify(event));
  return jetstream.publish(subject, data, { msgID: event.id, headers });
}

/** Yields events of many orders. The events of one order are in sequence, with events of other orders between them. */
function* events(wallets, count) {
  const waiting = [];
  for (let at = 0; at < count; at++) {
    const isDue = waiting.length > 0 && (waiting[0].dueAt <= at || count - at <= waiting.length);
    const order = isDue ? waiting.shift().order : newOrder(wallets);
    yield next(order);
    if (order.ahead.length > 0) waiting.push({ dueAt: at + distance, order });
  }
}

function newOrder(wallets) {
  const wallet = wallets[Math.floor(Math.random() * wallets.length)];
  const [chance, isOwn] = [Math.random(), Math.random() < ownShare];
  const ahead =
    chance < paidShare ? ['settling', 'settled'] : chance < paidShare + expiredShare ? ['expired'] : [];
  const data = {
    order_id: uuid(),
    status: 'waiting_payment',
    method: 'Direct',
    merchant_id: isOwn ? 'shop-17' : wallet,
    merchant_address: wallet,
    payer_address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    pay_blockchain: 'eip155:8453',
    pay_token: 'USDC',
    settle_chain: 'eip155:8453',
    settle_token: 'USDC',
    merchant_amount: '1000000',
    fee_amount: '5000',
    pay_tx: null,
    settle_tx: null,
    settled_amount: null,
    refunded_amount: null,
    paid_by: null,
    failure_reason: null,
    late: false,
    created_by: isOwn ? wallet : null,
    settled_value_usd: null,
    version: 0,
    updated_at: '',
  };
  return { data, ahead: ['created', ...ahead] };
}

const changes = {
  created: () => ({ status: 'waiting_payment' }),
  settling: () => ({ status: 'settling', pay_tx: `0x${randomBytes(32).toString('hex')}` }),
  settled: ({ pay_tx: hash, payer_address: payer }) => ({
    status: 'settled',
    settle_tx: hash,
    settled_amount: '1000000',
    settled_value_usd: '1',
    paid_by: payer,
  }),
  expired: () => ({ status: 'expired' }),
};

/** Returns the next event of an order. */
function next(order) {
  const change = order.ahead.shift();
  const at = new Date().toISOString();
  const version = order.data.version + 1;
  order.data = { ...order.data, ...changes[change](order.data), version, updated_at: at };
  return {
    id: uuid(),
    type: `order-${change}`,
    version: 1,
    aggregateId: order.data.order_id,
    aggregateVersion: version,
    occurredAt: at,
    requestId: randomUUID(),
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    data: order.data,
  };
}

async function untilHandled(manager) {
  for (;;) {
    const { num_pending: pending, num_ack_pending: unanswered } = await manager.consumers.info(
      stream,
      consumer,
    );
    if (pending + unanswered === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
