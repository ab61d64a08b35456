import { expectFailure, route } from '../covered-routes';
import { unlessBusy } from '../unless-busy';
import type { ServicesHarness } from './services-harness';

const number = { service: 'tg', country: 44 };
const text = { to: '+447400123456', body: 'Your parcel has arrived.' };

/** A key of the demo merchant with very low limits. */
async function poorKey(it: ServicesHarness, bounds: object): Promise<Record<string, string>> {
  const made = await it.api.send(
    'POST',
    '/api/keys',
    JSON.stringify({ label: 'sms', permissions: ['read', 'write'], ...bounds }),
    { 'x-wallet': it.sandbox.merchant.wallet, 'content-type': 'application/json' },
  );
  expect(made.status).toBe(200);
  it.secrets.push(made.body.secret);
  return { authorization: `Bearer ${made.body.secret}` };
}

/** Runs a call while a provider does not respond. */
async function whileDown(it: ServicesHarness, provider: string, call: () => Promise<void>): Promise<void> {
  await it.api.post('/sandbox/oneclick/outage', { mode: 'down', provider });
  try {
    await call();
  } finally {
    await it.api.post('/sandbox/oneclick/outage', { mode: 'up', provider });
  }
}

/** The errors of a purchase; `bodies` has a request for each. */
function purchaseErrors(
  it: ServicesHarness,
  path: string,
  bodies: { good: object; rejected: object; lost: object; provider: string },
): Record<string, () => Promise<void>> {
  const post = (body: object) => it.api.post(path, body);
  const poor = async (bounds: object) => {
    const headers = { 'content-type': 'application/json', ...(await poorKey(it, bounds)) };
    return unlessBusy(() => it.api.send('POST', path, JSON.stringify(bodies.good), headers));
  };
  return {
    'BUDGET_EXCEEDED: rejects a price above the monthly budget': () =>
      expectFailure(poor({ monthlyBudget: '0.01' }), 403, 'BUDGET_EXCEEDED'),
    'MAX_PER_TX_EXCEEDED: rejects a price above maxPerTx': () =>
      expectFailure(poor({ maxPerTx: '0.01' }), 403, 'MAX_PER_TX_EXCEEDED'),
    'PURCHASE_REFUSED: reports the rejection of the provider': () =>
      expectFailure(post(bodies.rejected), 422, 'PURCHASE_REFUSED'),
    'OUTCOME_UNKNOWN: reports a lost reply as unknown': () =>
      expectFailure(post(bodies.lost), 504, 'OUTCOME_UNKNOWN'),
    'UPSTREAM_UNAVAILABLE: fails, or reports unknown, while the provider is down': () =>
      whileDown(it, bodies.provider, async () => {
        const { status } = await post(bodies.good);
        // A failed price request proves that nothing was bought. The outcome of a message is unknown.
        expect(status).toBe(bodies.provider === 'twilio' ? 504 : 502);
        if (bodies.provider !== 'twilio') return;
        const limited = { ...bodies.good, to: '+12025550129' };
        await it.api.post('/sandbox/oneclick/outage', { mode: 'up', provider: bodies.provider });
        await expectFailure(post(limited), 502, 'UPSTREAM_UNAVAILABLE');
      }),
  };
}

export function smsCases(it: ServicesHarness): void {
  const ofNumbers = (extra: object) => ({
    good: { ...number, ...extra },
    rejected: { ...number, ...extra, service: 'x2' },
    lost: { ...number, ...extra, service: 'x5' },
    provider: 'sms-activate',
  });
  let rented: any;

  route('POST /sms/number', {
    OK: async () => {
      const { status, body } = await it.api.post('/sms/number', number);
      expect(status).toBe(200);
      expect(body.number).toMatch(/^\+447400\d{6}$/);
      rented = body;
    },
    'VALIDATION_ERROR: lists all bad fields': () =>
      expectFailure(
        it.api.post('/sms/number', { service: 'TG!', country: 1.5, extra: 1 }),
        400,
        'VALIDATION_ERROR',
        'service',
        'country',
        'extra',
      ),
    ...purchaseErrors(it, '/sms/number', ofNumbers({})),
  });

  route('GET /sms/status/{id}', {
    OK: async () => {
      for (;;) {
        const { status, body } = await it.api.get(`/sms/status/${rented.id}`);
        expect(status).toBe(200);
        if (body.status === 'received') return void it.secrets.push(body.code);
        expect(body.status).toBe('STATUS_WAIT_CODE');
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    },
    'NOT_FOUND: rejects an unknown number': () =>
      expectFailure(it.api.get('/sms/status/0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d'), 404, 'NOT_FOUND'),
    'UPSTREAM_UNAVAILABLE: fails while the provider is down': async () => {
      const { body } = await it.api.post('/sms/number', number);
      await whileDown(it, 'sms-activate', async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        await expectFailure(it.api.get(`/sms/status/${body.id}`), 502, 'UPSTREAM_UNAVAILABLE');
      });
    },
  });

  route('POST /sms/number-and-wait', {
    OK: async () => {
      const { status, body } = await it.api.post('/sms/number-and-wait', { ...number, timeout: 20 });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { code: expect.stringMatching(/^\d{6}$/) },
      });
      expect(body).not.toHaveProperty('timeout');
      it.secrets.push(body.code);
    },
    'OK: returns timeout=true when no code arrives in time': async () => {
      const wish = { ...number, service: 'x1', timeout: 1 };
      const { body } = await it.api.post('/sms/number-and-wait', wish);
      expect(body).toMatchObject({ code: null, timeout: true });
    },
    ...purchaseErrors(it, '/sms/number-and-wait', ofNumbers({ timeout: 2 })),
  });

  sendCases(it);
}

function sendCases(it: ServicesHarness): void {
  route('POST /sms/send', {
    OK: async () => {
      const { status, body } = await it.api.post('/sms/send', text);
      expect({ status, body }).toEqual({
        status: 200,
        body: { sid: expect.stringMatching(/^SM/), status: 'queued', segments: 1 },
      });
    },
    'VALIDATION_ERROR: rejects a premium-rate number': () =>
      expectFailure(it.api.post('/sms/send', { ...text, to: '+19005551234' }), 400, 'VALIDATION_ERROR', 'to'),
    ...purchaseErrors(it, '/sms/send', {
      good: text,
      provider: 'twilio',
      rejected: { ...text, to: '+12025550110' },
      lost: { ...text, to: '+12025550155' },
    }),
  });
}
