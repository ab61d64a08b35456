// Webhooks: due messages, sent to receivers in a separate process, signed and recorded one by one.
import { randomBytes } from 'node:crypto';
import { getAddress } from 'ethers';
import { summary } from './measure.mjs';
import { seriesOf } from './series.mjs';

// One endpoint receives its messages sequentially, so several endpoints are needed for the throughput of a process.
const endpoints = 64;
const perSecond = 1_500;

/**
 * @param deployment with its gateway
 * @param parts `spawn` and `admin`, like those of the other rows
 */
export async function webhookRows({ gateway }, { spawn, admin }) {
  const receiver = await spawn('limits/webhook-receiver.mjs', []);
  const wallets = Array.from({ length: endpoints }, () => getAddress(`0x${randomBytes(20).toString('hex')}`));
  await admin.query(
    `INSERT INTO merchant.webhook_endpoints (wallet, url, secret, secret_created_at, not_before, created_at)
     SELECT wallet, $2, '\\x00', now(), now(), now() FROM unnest($1::text[]) wallet`,
    [wallets, receiver.url],
  );
  // The initial secrets are invalid, so each endpoint gets a real secret.
  for (const wallet of wallets) await newSecret(gateway, wallet);
  const run = (inFlight, seconds) =>
    measureDeliveries({ receiver, admin, wallets: wallets.slice(0, inFlight) }, seconds);
  return [{ name: 'deliver webhooks, by endpoints', of: 'raw pg insert', sustained: {}, run }];
}

async function newSecret(gateway, wallet) {
  const headers = { 'x-wallet': wallet, 'content-type': 'application/json' };
  const body = JSON.stringify({ gracePeriodSeconds: 0 });
  const reply = await fetch(`${gateway}/api/webhooks/secret`, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`no secret for the benchmark: ${reply.status} ${await reply.text()}`);
}

/** All messages are due at the same time. Each latency ends with the arrival of the message. */
async function measureDeliveries({ receiver, admin, wallets }, seconds) {
  const count = Math.ceil(Math.min(perSecond, wallets.length * 300) * seconds);
  receiver.child.send({ expect: count });
  const done = new Promise((resolve) => receiver.child.once('message', resolve));
  const startedMs = Date.now();
  await admin.query(
    `INSERT INTO merchant.webhook_messages (id, wallet, type, payload, schedule_from, next_attempt_at, created_at)
     SELECT 'msg_' || replace(gen_random_uuid()::text, '-', ''), ($1::text[])[1 + n % cardinality($1::text[])], 'order.settled', $3,
       now(), now(), now() FROM generate_series(1, $2) n`,
    [wallets, count, payload],
  );
  const { arrivedMs } = await done;
  const latencies = arrivedMs.map((ms) => ms - startedMs);
  const lastMs = arrivedMs.reduce((last, ms) => Math.max(last, ms), startedMs);
  await untilRecorded(admin);
  const elapsed = (lastMs - startedMs) / 1000;
  const ends = latencies.map((ms) => ms / 1000);
  return { ...summary(latencies, elapsed, 0), ...seriesOf(latencies, ends, elapsed) };
}

async function untilRecorded(admin) {
  for (;;) {
    const { rowCount } = await admin.query(
      `SELECT FROM merchant.webhook_messages WHERE next_attempt_at IS NOT NULL LIMIT 1`,
    );
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// As large as the payload of an order.
const payload = JSON.stringify({
  type: 'order.settled',
  timestamp: new Date().toISOString(),
  data: { filler: 'x'.repeat(900) },
});
