import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { resourceBytes } from './resource.mjs';
import { sellerRows } from './seller-rows.mjs';

const stops = [];
after(() => Promise.all(stops.map((stop) => stop())));

/** A seller that accepts any `payment` header, unless a part of it is replaced. */
function sellerWith({ body = resourceBytes, statusUnpaid = 402, payments = (taken) => taken }) {
  return {
    name: 'a seller',
    likelyPerSecond: 400,
    rates: [100],
    async start() {
      let taken = 0;
      const answer = ({ url, headers }, response) => {
        const isPaid = url === '/open' || headers.payment;
        if (headers.payment) taken++;
        const bytes = headers.payment ? body : resourceBytes;
        response.writeHead(isPaid ? 200 : statusUnpaid, { 'content-length': bytes.length }).end(bytes);
      };
      const server = createServer(answer).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return {
        url: `http://127.0.0.1:${server.address().port}`,
        prepare: async (count) =>
          Array.from({ length: count }, (_, index) => ({ path: '/paid', headers: { payment: `${index}` } })),
        countPayments: async () => payments(taken),
        stop: async () => void server.close(),
      };
    },
  };
}

async function runRow(kind, seller, load) {
  const rows = sellerRows(seller, null, (stop) => stops.push(stop));
  const run = await rows.find(({ name }) => name.endsWith(kind)).start();
  return run(load, 0.1);
}

test('sellerRows measures a paid seller under closed and open load', async () => {
  const seller = sellerWith({});
  const closed = await runRow('paid', seller, { inFlight: 4 });
  assert.equal(closed.failures, 0);
  assert.ok(closed.answered > 0 && closed.rate > 0 && closed.p50 > 0);
  const open = await runRow('paid', seller, { ratePerSecond: 100 });
  assert.equal(open.answered, 10);
  assert.ok(open.rate <= 101);
});

test('each payment is sent once: the measurement ends when all are sent', async () => {
  const { answered } = await runRow('paid', sellerWith({}), { inFlight: 1 });
  // 400 per second for a tenth of a second, 50 % spare, and one in progress.
  assert.ok(answered <= 61, `${answered} answers`);
});

test('a seller that serves without recording the payment is detected', async () => {
  const forgetful = sellerWith({ payments: (taken) => taken - 1 });
  await assert.rejects(
    runRow('paid', forgetful, { inFlight: 1 }),
    /a seller was paid \d+ times for \d+ answers/,
  );
});

test('a seller that records more payments than served requests is detected', async () => {
  const greedy = sellerWith({ payments: (taken) => taken + 1 });
  await assert.rejects(runRow('paid', greedy, { inFlight: 1 }), /a seller was paid/);
});

test('a reply other than the resource is a failure', async () => {
  const other = sellerWith({ body: Buffer.from('{}'), payments: () => 0 });
  const { failures, firstFailure } = await runRow('paid', other, { inFlight: 1 });
  assert.ok(failures > 0);
  assert.match(firstFailure, /not the resource: \{\}/);
});

test('a seller that serves without a payment fails the 402 row', async () => {
  const { failures, firstFailure } = await runRow('402', sellerWith({ statusUnpaid: 200 }), { inFlight: 1 });
  assert.ok(failures > 0);
  assert.match(firstFailure, /^status 200/);
});
