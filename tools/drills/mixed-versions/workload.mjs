// Simulates simultaneous users of both releases: they pay orders, receive webhooks, pay a 402 and buy a gift card.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePayment } from '../../local/first-payment.mjs';
import { buyOnce } from '../buy-once.mjs';

const webhookWithinMs = 60_000;
// A client without a key created the order, so its merchant is notified only of the payment.
const webhookType = 'order.settled';

/**
 * @param {string} gateway
 * @param {string} path
 * @param {object} body
 * @param {Record<string, string>} headers
 * @param {string} [method]
 */
async function send(gateway, path, body, headers, method = 'POST') {
  const reply = await fetch(`${gateway}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
  return JSON.parse(text);
}

/** Sends the webhooks of the demo merchant to the receiver. */
export async function subscribe(gateway, receiver) {
  const sandbox = await (await fetch(`${gateway}/sandbox`)).json();
  const shop = { 'x-wallet': sandbox.merchant.wallet };
  await send(gateway, '/api/settings', { webhookUrl: receiver.url }, shop, 'PUT');
  const { secret } = await send(gateway, '/api/webhooks/secret', {}, shop);
  receiver.verifyBy(secret);
}

/** Runs one round through one gateway. Rejects with the first failure. */
export async function workRound(gateway, receiver) {
  // The transactions of the payer have consecutive nonces, so payments are made sequentially.
  const orderId = await makePayment(gateway, () => undefined);
  await Promise.all([
    untilNotified(receiver, orderId),
    buyCard(gateway),
    buyOnce(gateway),
    rejectUnknown(gateway),
  ]);
}

async function untilNotified(receiver, orderId) {
  for (const endMs = Date.now() + webhookWithinMs; !receiver.has(webhookType, orderId); await sleep(100))
    if (Date.now() > endMs)
      throw new Error(`no webhook ${webhookType} of order ${orderId}: ${receiver.faults.join(', ')}`);
}

async function buyCard(gateway) {
  const { merchant } = await (await fetch(`${gateway}/sandbox`)).json();
  const order = {
    productId: 1001,
    quantity: 1,
    unitPrice: 25,
    senderName: 'Ada',
    customIdentifier: randomUUID(),
  };
  const headers = { authorization: `Bearer ${merchant.secret}` };
  const reply = await send(gateway, '/gift/giftcards/order', order, headers);
  if (!JSON.stringify(reply).includes('cards')) throw new Error(`no card in ${JSON.stringify(reply)}`);
}

/** Verifies that public routes reject unknown fields in every combination of releases. */
async function rejectUnknown(gateway) {
  const reply = await fetch(`${gateway}/api/v1/pay/create-order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ newer_field: 1, pay_token: 7 }),
  });
  const text = await reply.text();
  const named = ['newer_field', 'pay_token'].every((name) => text.includes(name));
  if (reply.status !== 400 || !named)
    throw new Error(`an undeclared field was answered ${reply.status}: ${text}`);
}
