import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ok, waitFor } from './client';
import { newWallet, walk } from './walk';

interface Delivery {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** The signature of Standard Webhooks: HMAC-SHA256 of id, timestamp and body. */
function isGenuine({ headers, body }: Delivery, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

export function describeWebhooks(): void {
  const deliveries: Delivery[] = [];
  let server: Server;
  let webhookUrl: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => void (body += chunk));
      request.on('end', () => {
        deliveries.push({ headers: request.headers, body });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const arrival = (type: string): Promise<Delivery> =>
    waitFor(`the webhook ${type}`, async () => deliveries.find(({ body }) => JSON.parse(body).type === type));

  it('post payment.completed and order.settled to webhookUrl, signed, and can be replayed', async () => {
    const { client } = newWallet();
    ok(await client.put('/api/settings', { webhookUrl }));
    const { secret } = ok(await client.post('/api/webhooks/secret', {}));
    ok(await client.post('/api/webhooks/test', {}));
    await waitFor('the test webhook', async () => deliveries[0]);
    const request = { amount: '1000000', currency: 'USDC', chain: 'base', description: 'Tea', metadata: {} };
    const { id } = ok(await client.post('/api/v1/merchant/payment-requests', request));
    const selected_option = { from_token: 'USDC', from_chain: 'base' };
    const { order } = ok(await walk.api.post(`/api/v1/payment/${id}/execute`, { selected_option }));
    await walk.base.pay(order.direct);
    for (const type of ['order.settled', 'payment.completed']) {
      const delivery = await arrival(type);
      expect(isGenuine(delivery, secret)).toBe(true);
      expect(isGenuine({ ...delivery, body: `${delivery.body} ` }, secret)).toBe(false);
    }
    const { webhooks } = ok(await client.get('/api/webhooks'));
    expect(webhooks.length).toBeGreaterThanOrEqual(2);
    const before = deliveries.length;
    ok(await client.post(`/api/webhooks/${webhooks[0].id}/replay`));
    await waitFor('the replay', async () => (deliveries.length > before ? true : undefined));
  });
}
