import { eventually } from '@tollbridge/testing';
import type { ServicesHarness } from './services-harness';

/** Webhooks of providers: the simulators send them to the gateway, and the service accepts signed ones. */
export function hookCases(it: ServicesHarness): void {
  /** Number of responses with this status, from the gateway's metrics. */
  const answered = async (status: number): Promise<number> => {
    const metrics = await (await fetch(`${it.harness.gateway}/metrics`)).text();
    return metrics
      .split('\n')
      .filter((line) => line.startsWith('http_server_request_duration_seconds_count'))
      .filter((line) => line.includes('http_route="/hooks/'))
      .filter((line) => line.includes(`http_response_status_code="${status}"`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const send = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${it.harness.gateway}/hooks/${path}`, { method: 'POST', body, headers });

  test('accepts the webhooks of every simulated provider', async () => {
    const wallet = it.sandbox.merchant.wallet;
    const { api } = it;
    const { body: inbox } = await api.post('/agentmail/inboxes', { name: 'Hooks' });
    const actions: [name: string, act: () => Promise<{ status: number }>][] = [
      [
        'gift card',
        () =>
          api.post('/gift/giftcards/order', {
            productId: 1001,
            quantity: 1,
            unitPrice: 10.67,
            senderName: 'Ada',
          }),
      ],
      ['card', () => api.post('/card/get-card', { wallet, amount: 25 })],
      ['message', () => api.post('/sms/send', { to: '+447400123456', body: 'Hello' })],
      [
        'AgentMail',
        () =>
          api.post('/agentmail/send', {
            inbox_id: inbox.inbox_id,
            to: inbox.inbox_id,
            subject: 'Hello',
            text: 'Hi',
          }),
      ],
      [
        'Resend',
        () => api.post('/resend/send', { to: 'inbox@tollbridge.test', subject: 'Hello', text: 'Hi' }),
      ],
      ['number', () => api.post('/sms/number-and-wait', { service: 'tg', country: 1, timeout: 20 })],
    ];
    for (const [name, act] of actions) {
      const before = await answered(200);
      // After the outages of earlier cases, a circuit breaker may be open for some seconds.
      await eventually(async () => expect([name, (await act()).status]).toEqual([name, 200]));
      await eventually(async () => expect([name, (await answered(200)) > before]).toEqual([name, true]));
    }
    // Except 503: a busy service requests a retry, and the simulators send again.
    for (const status of [400, 401, 404, 500]) expect(await answered(status)).toBe(0);
  });

  test('rejects unsigned webhooks, unknown providers and oversized bodies', async () => {
    const body = '{"data":{"transactionId":10001}}';
    const signatures = {
      'x-reloadly-signature': 'a'.repeat(64),
      'x-reloadly-request-timestamp': String(Math.floor(Date.now() / 1_000)),
    };
    const rejected = await send('reloadly', body, signatures);
    expect(rejected.status).toBe(401);
    expect(await rejected.json()).toEqual({
      error: 'The signature of the webhook is invalid. Sign it with the secret configured for this provider.',
      code: 'UNAUTHORIZED',
      request_id: rejected.headers.get('x-request-id'),
      documentation_url: expect.stringMatching(/\/docs\/errors#UNAUTHORIZED$/),
    });
    for (const provider of ['lithic', 'twilio', 'agentmail', 'resend', 'sms-activate/a-token-that-is-none'])
      expect((await send(provider, body)).status).toBe(401);
    for (const provider of ['laso', 'mailtm', 'No-Such'])
      expect((await send(provider, body)).status).toBe(404);
    expect((await send('reloadly', 'x'.repeat(65 * 1024), signatures)).status).toBe(413);
  });
}
