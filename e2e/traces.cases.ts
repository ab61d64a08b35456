import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@tollbridge/testing';
import type { Payer } from './payer';
import { ancestry, type TraceCollector } from './trace-collector';
import { unlessBusy } from './unless-busy';

interface TracedHarness {
  collector: TraceCollector;
  payer: Payer;
  /**
   * Creates a merchant with an endpoint at this URL.
   * @returns its wallet and the secret of a key
   */
  merchantAt(url: string): Promise<{ wallet: string; key: string }>;
  secrets: readonly string[];
}

/** One trace from a request to its webhook. */
export function traceCases(it: () => TracedHarness): void {
  test('connects a request with its statements, its event and its webhook', async () => {
    const { collector, payer, merchantAt } = it();
    const received: IncomingHttpHeaders[] = [];
    const receiver = createServer((request, response) => {
      received.push(request.headers);
      request.resume().on('end', () => response.writeHead(204).end());
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { wallet, key } = await merchantAt(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
    const [traceId, clientSpan] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const headers = { 'x-api-key': key, traceparent: `00-${traceId}-${clientSpan}-00` };
    const terms = { merchant_address: wallet, merchant_id: wallet };
    const created = await unlessBusy(() => payer.createOrder(terms, headers));
    expect([created.status, created.body.error]).toEqual([200, undefined]);
    await eventually(() => expect(received.length).toBeGreaterThan(0));

    const delivery = await eventually(() => {
      const found = collector.trace(traceId).find(({ name }) => name === 'deliver webhook');
      expect(found).toBeDefined();
      // Its ancestors may arrive later: each process sends its own.
      expect(ancestry(collector.trace(traceId), found!)[1]).toBe(clientSpan);
      return found!;
    });
    const subject = 'op.pay-orders.orders.create-order';
    expect(ancestry(collector.trace(traceId), delivery)[0]).toEqual([
      'merchant: deliver webhook (3)',
      'merchant: process order-created (5)',
      'pay-orders: send order-created (4)',
      `pay-orders: ${subject} (2)`,
      `gateway: ${subject} (3)`,
      'gateway: POST /api/v1/pay/create-order (2)',
    ]);
    expect(received[0]!['traceparent']).toBe(`00-${traceId}-${delivery.spanId}-01`);
    const statements = collector
      .trace(traceId)
      .filter(({ attributes }) => attributes.some(({ key }) => key === 'db.query.summary'))
      .map((span) => ancestry(collector.trace(traceId), span)[0].slice(0, 2).join(' < '));
    expect(statements).toEqual(
      expect.arrayContaining([
        expect.stringMatching(new RegExp(`^pay-orders: [a-z-]+ \\(3\\) < pay-orders: ${subject} \\(2\\)$`)),
        'merchant: inbox-insert (3) < merchant: process order-created (5)',
        'merchant: webhook-messages-insert (3) < merchant: process order-created (5)',
      ]),
    );
    receiver.closeAllConnections();
    receiver.close();
  });

  test('no span contains a secret that a client received', () => {
    const { collector, secrets } = it();
    const text = JSON.stringify(collector.spans);
    expect(collector.spans.length).toBeGreaterThan(100);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
}
