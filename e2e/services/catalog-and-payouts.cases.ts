import { expectFailure, route } from '../covered-routes';
import type { Reply } from '../http';
import type { ServicesHarness } from './services-harness';
import { whileNodeHangs } from './hanging-node';

const unknownId = '01a1faec-0000-7000-8000-000000000000';
const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const [first, second] = [
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
];

/** The catalog, and payouts: preview and submission. */
export function catalogAndPayouts(it: ServicesHarness): void {
  const wish = (changes: object = {}): object => ({
    wallet: it.sandbox.merchant.wallet,
    chain: 'base',
    token: 'USDC',
    recipients: [
      { address: first, amount: 12.5 },
      { address: second, amount: 0.75 },
    ],
    ...changes,
  });
  const post = (path: string, changes?: object): Promise<Reply> => it.api.post(path, wish(changes));

  catalogCases(it);

  for (const path of ['/payout/preview', '/payout/batch'])
    route(`POST ${path}`, {
      OK: async () => {
        const { status, body } = await post(path);
        expect(status).toBe(200);
        expect(body).toMatchObject({
          wallet: it.sandbox.merchant.wallet,
          chain: 'eip155:8453',
          token: 'USDC',
          recipientCount: 2,
          totalAmount: 13.25,
          fee: 0.06625,
          feeAtomic: '66250',
        });
        expect(Number(body.estimatedGas)).toBeGreaterThan(40_000);
        const asText = await post(path, { recipients: JSON.stringify([{ address: first, amount: 12.5 }]) });
        expect(asText.body).toMatchObject({ recipientCount: 1, totalAmountAtomic: '12500000' });
      },
      'VALIDATION_ERROR: lists all bad fields': () =>
        expectFailure(
          post(path, {
            memo: 'x',
            recipients: [
              { address: first, amount: 0 },
              { address: 'me', amount: 1.0000001 },
            ],
          }),
          400,
          'VALIDATION_ERROR',
          'memo',
          'recipients[0].amount',
          'recipients[1].address',
          'recipients[1].amount',
        ),
      FORBIDDEN: () => expectFailure(post(path, { wallet: stranger }), 403, 'FORBIDDEN'),
      'UPSTREAM_UNAVAILABLE: fails while the node does not respond': () =>
        whileNodeHangs(it, () => expectFailure(post(path, { chain: 'arb' }), 502, 'UPSTREAM_UNAVAILABLE')),
    });

  route('GET /payout', {
    'OK: lists a submitted payout': async () => {
      const { body: submitted } = await post('/payout/batch');
      const { body } = await it.api.get('/payout?limit=1');
      expect(body.payouts).toMatchObject([{ payoutId: submitted.payoutId, recipientCount: 2 }]);
    },
  });

  route('GET /payout/{id}', {
    OK: async () => {
      const { body: submitted } = await post('/payout/batch');
      const { body } = await it.api.get(`/payout/${submitted.payoutId}`);
      expect(body).toMatchObject({ ...submitted, status: 'pending', message: expect.any(String) });
      expect(body.recipients).toHaveLength(2);
    },
    NOT_FOUND: () => expectFailure(it.api.get(`/payout/${unknownId}`), 404, 'NOT_FOUND'),
  });
}

function catalogCases(it: ServicesHarness): void {
  route('GET /catalog', {
    OK: async () => {
      const { body } = await it.api.get('/catalog');
      expect(body.count).toBe(22);
      expect(body.services.map(({ id }: { id: string }) => id)).toContain('payout-batch');
    },
    'VALIDATION_ERROR: rejects an unknown field': () =>
      expectFailure(it.api.get('/catalog?page=1'), 400, 'VALIDATION_ERROR', 'page'),
    'UNAUTHORIZED: rejects a call without a key': () =>
      expectFailure(it.api.send('GET', '/catalog', undefined, {}), 401, 'UNAUTHORIZED'),
  });

  route('GET /catalog/search', {
    OK: async () => {
      const found = async (query: string): Promise<string[]> => {
        const { body } = await it.api.get(`/catalog/search?${query}`);
        return body.services.map(({ id }: { id: string }) => id);
      };
      expect((await found('q=send%20sms'))[0]).toBe('sms-send');
      expect((await found('q=payout&category=payout')).sort()).toEqual(['payout-batch', 'payout-preview']);
      expect(await found('q=%25')).toEqual([]);
      expect(await found(`q=${encodeURIComponent("' OR true --")}`)).toEqual([]);
    },
    'VALIDATION_ERROR: rejects a query that is too long': () =>
      expectFailure(it.api.get(`/catalog/search?q=${'x'.repeat(257)}`), 400, 'VALIDATION_ERROR', 'q'),
  });

  route('GET /catalog/{id}', {
    OK: async () => {
      const { body } = await it.api.get('/catalog/payout-batch');
      expect(body).toMatchObject({ method: 'POST', route: '/payout/batch', available: true });
    },
    NOT_FOUND: () => expectFailure(it.api.get('/catalog/nothing'), 404, 'NOT_FOUND'),
  });
}

/** The common part and the part of this family. */
