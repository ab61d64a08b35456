import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { randomUUID } from 'node:crypto';
import { expectFailure, route } from '../covered-routes';
import type { Reply } from '../http';
import { foundIn, logsIn } from '../logs';
import { unlessBusy } from '../unless-busy';
import type { ServicesHarness } from './services-harness';

const products = 'GET /gift/giftcards/products';
const order = 'POST /gift/giftcards/order';
const detect = 'GET /gift/airtime/detect';
const topup = 'POST /gift/airtime/topup';
const billers = 'GET /gift/utilities/billers';
const pay = 'POST /gift/utilities/pay';

/** The three purchases: path, and the body for an amount. */
const purchases: Record<string, (amount: number) => object> = {
  [order]: (unitPrice) => ({ productId: 1001, quantity: 1, unitPrice, senderName: 'Ada' }),
  [topup]: (amount) => ({
    operatorId: 3001,
    amount,
    recipientPhone: { countryCode: 'NG', number: '+2348031234567' },
  }),
  // The biller's currency has about 600 units per dollar.
  [pay]: (amount) => ({
    subscriberAccountNumber: '04223568280',
    billerId: 5001,
    useLocalAmount: true,
    amount: amount < 11 ? 6_000 + Math.round((amount % 1) * 100) / 100 : amount * 600,
  }),
};

/** Gift cards, airtime, and bills. */
export function giftCases(it: ServicesHarness): void {
  readCases(it);
  for (const title of Object.keys(purchases)) purchaseCases(it, title);
  otherCases(it);
}

const pathOf = (title: string): string => title.split(' ')[1]!;

/** Calls the API while the provider is down. */
async function away({ api }: ServicesHarness, ask: () => Promise<Reply>): Promise<void> {
  const set = (mode: string) => api.post('/sandbox/oneclick/outage', { provider: 'reloadly', mode });
  await set('down');
  try {
    await expectFailure(ask(), 502, 'UPSTREAM_UNAVAILABLE');
  } finally {
    await set('up');
  }
}

function readCases(it: ServicesHarness): void {
  route(products, {
    OK: async () => {
      const { status, body } = await it.api.get('/gift/giftcards/products');
      expect([status, body.map((product: any) => product.countryCode)]).toEqual([200, ['US', 'US', 'US']]);
      const spain = await it.api.get('/gift/giftcards/products?country=ES');
      expect(spain.body[0]).toMatchObject({ productId: 1101, recipientCurrencyCode: 'EUR' });
    },
    VALIDATION_ERROR: () =>
      expectFailure(it.api.get('/gift/giftcards/products?country=USA'), 400, 'VALIDATION_ERROR', 'country'),
    NOT_FOUND: () => expectFailure(it.api.get('/gift/giftcards/products?country=ZZ'), 404, 'NOT_FOUND'),
    UPSTREAM_UNAVAILABLE: () => away(it, () => it.api.get('/gift/giftcards/products?country=GB')),
  });

  route(detect, {
    OK: async () => {
      const { status, body } = await it.api.get('/gift/airtime/detect?phone=08031234567&country=NG');
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ operatorId: 3001, phone: '+2348031234567' }),
      ]);
    },
    VALIDATION_ERROR: () =>
      expectFailure(
        it.api.get('/gift/airtime/detect?phone=0803CALL&country=N'),
        400,
        'VALIDATION_ERROR',
        'country',
        'phone',
      ),
    NOT_FOUND: () =>
      expectFailure(it.api.get('/gift/airtime/detect?phone=08031230000&country=NG'), 404, 'NOT_FOUND'),
    UPSTREAM_UNAVAILABLE: () =>
      away(it, () => it.api.get('/gift/airtime/detect?phone=08031234567&country=NG')),
  });

  route(billers, {
    OK: async () => {
      const { status, body } = await it.api.get(
        '/gift/utilities/billers?country=SN&type=ELECTRICITY_BILL_PAYMENT',
      );
      expect([status, body]).toEqual([200, [expect.objectContaining({ id: 5001, name: 'Teranga Power' })]]);
    },
    'OK: returns an empty list for a type without billers': async () => {
      const { status, body } = await it.api.get('/gift/utilities/billers?type=GAS');
      expect([status, body]).toEqual([200, []]);
    },
    VALIDATION_ERROR: () =>
      expectFailure(
        it.api.get('/gift/utilities/billers?country=Senegal'),
        400,
        'VALIDATION_ERROR',
        'country',
      ),
    UPSTREAM_UNAVAILABLE: () => away(it, () => it.api.get('/gift/utilities/billers?country=ML')),
  });

  route('GET /gift/balance', {
    OK: async () => {
      const { status, body } = await it.api.get('/gift/balance');
      expect([status, Object.keys(body).sort()]).toEqual([
        200,
        ['balance', 'currencyCode', 'currencyName', 'updatedAt'],
      ]);
    },
    UPSTREAM_UNAVAILABLE: () => away(it, () => it.api.get('/gift/balance')),
  });
}

function purchaseCases(it: ServicesHarness, title: string): void {
  const buy = (amount: number, more: object = {}): Promise<Reply> =>
    it.api.post(pathOf(title), { ...purchases[title]!(amount), ...more });
  const keepCodes = ({ body }: Reply): void => {
    const { cards, pinDetail, pinDetails } = body;
    for (const code of [cards ?? [], pinDetail ?? [], pinDetails ?? []].flat())
      it.secrets.push(...[code.cardNumber, code.pinCode, code.code].filter((text) => text));
  };
  route(title, {
    OK: async () => {
      const customIdentifier = randomUUID();
      const first = await buy(10, { customIdentifier });
      expect([first.status, first.body.customIdentifier]).toEqual([200, customIdentifier]);
      const done = await eventually(async () => {
        const again = await buy(10, { customIdentifier });
        expect(again.body).toMatchObject({ status: 'SUCCESSFUL', transactionId: first.body.transactionId });
        return again;
      });
      keepCodes(done);
    },
    VALIDATION_ERROR: () => expectFailure(buy(1e7), 400, 'VALIDATION_ERROR'),
    PURCHASE_REFUSED: async () => {
      const reply = await buy(10.62);
      expect([reply.status, reply.body.code]).toEqual([422, 'PURCHASE_REFUSED']);
      expect(reply.body.details).toEqual({ reason: 'SERVICE_BALANCE_TOO_LOW' });
    },
    CONFLICT: async () => {
      const customIdentifier = randomUUID();
      keepCodes(await buy(11, { customIdentifier }));
      await expectFailure(buy(12, { customIdentifier }), 409, 'CONFLICT');
    },
    BUDGET_EXCEEDED: () => boundedBy(it, title, { monthlyBudget: '2' }, 'BUDGET_EXCEEDED'),
    MAX_PER_TX_EXCEEDED: () => boundedBy(it, title, { maxPerTx: '2' }, 'MAX_PER_TX_EXCEEDED'),
    UPSTREAM_UNAVAILABLE: () => expectFailure(buy(10.69), 502, 'UPSTREAM_UNAVAILABLE'),
  });
}

/** Expects that the limits of a new merchant's key reject a purchase. */
async function boundedBy(it: ServicesHarness, title: string, bounds: object, code: string): Promise<void> {
  const wallet = { 'x-wallet': Wallet.createRandom().address };
  const wish = JSON.stringify({ label: 'Gifts', permissions: ['read', 'write'], ...bounds });
  const { body } = await it.api.send('POST', '/api/keys', wish, wallet);
  it.secrets.push(body.secret);
  const wanted = JSON.stringify(purchases[title]!(10));
  const headers = { authorization: `Bearer ${body.secret}` };
  const ask = () => it.api.send('POST', pathOf(title), wanted, headers);
  await expectFailure(unlessBusy(ask), 403, code);
}

function otherCases(it: ServicesHarness): void {
  test('rejects purchases with a read-only key, and every call with a publishable key', async () => {
    const wallet = { 'x-wallet': Wallet.createRandom().address };
    const wish = JSON.stringify({ label: 'Looks', permissions: ['read'] });
    const { body } = await it.api.send('POST', '/api/keys', wish, wallet);
    it.secrets.push(body.secret);
    const wanted = JSON.stringify(purchases[order]!(10));
    const withKey = (key: string) => ({ authorization: `Bearer ${key}` });
    await expectFailure(it.api.send('POST', pathOf(order), wanted, withKey(body.secret)), 403, 'FORBIDDEN');
    await expectFailure(it.api.send('GET', '/gift/balance', undefined, withKey(body.key)), 403, 'FORBIDDEN');
    await expectFailure(it.api.send('GET', '/gift/balance', undefined, {}), 401, 'UNAUTHORIZED');
  });

  test('no log contains a code that a client received', () => {
    expect(it.secrets.length).toBeGreaterThan(5);
    expect(foundIn(logsIn(it.harness.directory), it.secrets)).toEqual([]);
  });
}
