import { randomUUID } from 'node:crypto';
import { expectFailure, route } from '../covered-routes';
import { withoutRequestId, type Reply } from '../http';
import { unlessBusy } from '../unless-busy';
import type { ServicesHarness } from './services-harness';

const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

export function cardCases(it: ServicesHarness): void {
  const own = (): string => it.sandbox.merchant.wallet;
  const issue = async (amount = 25, wallet = own()): Promise<Reply> => {
    const reply = await it.api.post('/card/get-card', { wallet, amount });
    if (reply.body.number) it.secrets.push(reply.body.number);
    return reply;
  };
  const show = async (id: string): Promise<Reply> => {
    const reply = await it.api.get(`/card/card-data?card_id=${id}`);
    if (reply.body.number) it.secrets.push(reply.body.number);
    return reply;
  };

  getCardCases(it, own, issue);

  route('GET /card/card-data', {
    'OK: returns the number of an open card and forbids caching': async () => {
      const { body } = await issue();
      const { status, headers, body: data } = await show(body.cardId);
      expect(status).toBe(200);
      expect(data).toMatchObject({ ...body, number: expect.stringMatching(/^411111\d{10}$/) });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
    },
    'OK: returns nulls while the card is pending': async () => {
      const { body } = await issue(25.76);
      expect((await show(body.cardId)).body).toMatchObject({ status: 'pending', number: null, cvv: null });
    },
    'NOT_FOUND: returns the same for an unknown card and the card of another wallet': async () => {
      const { body } = await issue();
      const other = await keyOf(it, stranger, { permissions: ['read'] });
      const ask = (id: string): Promise<Reply> =>
        it.api.send('GET', `/card/card-data?card_id=${id}`, undefined, { 'x-api-key': other });
      const [foreign, missing] = [await ask(body.cardId), await ask(randomUUID())];
      expect([foreign.status, withoutRequestId(foreign.body)]).toEqual([404, withoutRequestId(missing.body)]);
    },
    'UPSTREAM_UNAVAILABLE: fails while the issuer is down': async () => {
      const { body } = await issue();
      const outage = (mode: string): Promise<Reply> =>
        it.api.post('/sandbox/oneclick/outage', { provider: 'lithic', mode });
      await outage('down');
      try {
        await expectFailure(show(body.cardId), 502, 'UPSTREAM_UNAVAILABLE');
      } finally {
        await outage('up');
      }
    },
  });

  route('GET /card/my-cards', {
    'OK: lists cards without numbers': async () => {
      const { body } = await issue();
      const { number } = (await show(body.cardId)).body;
      const list = await it.api.get(`/card/my-cards?wallet=${own()}&limit=5`);
      const { number: _number, cvv: _cvv, expMonth: _month, expYear: _year, ...record } = body;
      expect(list.body.cards[0]).toEqual(record);
      expect(list.body.limit).toBe(5);
      expect(JSON.stringify(list.body)).not.toContain(number);
    },
    'FORBIDDEN: rejects the wallet of another merchant': () =>
      expectFailure(it.api.get(`/card/my-cards?wallet=${stranger}`), 403, 'FORBIDDEN'),
  });
}

function getCardCases(
  it: ServicesHarness,
  own: () => string,
  issue: (amount?: number, wallet?: string) => Promise<Reply>,
): void {
  const expectRejection = async (bounds: object, code: string): Promise<void> => {
    const secret = await keyOf(it, own(), { permissions: ['read', 'write'], ...bounds });
    const body = JSON.stringify({ wallet: own(), amount: 25 });
    const ask = () => it.api.send('POST', '/card/get-card', body, { 'x-api-key': secret });
    await expectFailure(unlessBusy(ask), 403, code);
  };
  route('POST /card/get-card', {
    'OK: returns the number of an open card': async () => {
      const { status, body } = await issue(25.5);
      expect([status, body]).toMatchObject([200, { amount: 25.5, status: 'open', wallet: own() }]);
      const { body: data } = await it.api.get(`/card/card-data?card_id=${body.cardId}`);
      expect(body).toEqual(data);
      expect(body.number).toMatch(/^411111\d{10}$/);
    },
    'OK: returns no number while the card is pending': async () => {
      const { body } = await issue(25.76);
      expect(body.status).toBe('pending');
      for (const name of ['number', 'cvv', 'expMonth', 'expYear']) expect(body).not.toHaveProperty(name);
    },
    'OK: buys one card for one Idempotency-Key': async () => {
      const headers = {
        authorization: `Bearer ${it.sandbox.merchant.secret}`,
        'idempotency-key': randomUUID(),
      };
      const body = JSON.stringify({ wallet: own(), amount: 30 });
      const one = await it.api.send('POST', '/card/get-card', body, headers);
      it.secrets.push(one.body.number);
      const again = await it.api.send('POST', '/card/get-card', body, headers);
      expect(again.body).toEqual(one.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    },
    'VALIDATION_ERROR: lists all bad fields': () =>
      expectFailure(issue(25.005, 'me'), 400, 'VALIDATION_ERROR', 'amount', 'wallet'),
    'FORBIDDEN: rejects another wallet': () => expectFailure(issue(25, stranger), 403, 'FORBIDDEN'),
    'BUDGET_EXCEEDED: rejects an amount above the monthly budget': () =>
      expectRejection({ monthlyBudget: '24.99' }, 'BUDGET_EXCEEDED'),
    'MAX_PER_TX_EXCEEDED: rejects an amount above maxPerTx': () =>
      expectRejection({ maxPerTx: '24.99' }, 'MAX_PER_TX_EXCEEDED'),
    'PURCHASE_REFUSED: reports a declined card': async () => {
      const reply = await issue(25.71);
      await expectFailure(Promise.resolve(reply), 422, 'PURCHASE_REFUSED');
      expect(reply.body.details).toEqual({ reason: 'DECLINED' });
    },
    'UPSTREAM_UNAVAILABLE: fails while the issuer limits requests': () =>
      expectFailure(issue(25.73), 502, 'UPSTREAM_UNAVAILABLE'),
  });
}

async function keyOf(it: ServicesHarness, wallet: string, changes: object): Promise<string> {
  const body = JSON.stringify({ label: 'Cards', ...changes });
  const made = await it.api.send('POST', '/api/keys', body, { 'x-wallet': wallet });
  it.secrets.push(made.body.secret);
  return made.body.secret;
}
