import { eventually } from '@tollbridge/testing';
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { evmNetwork, FakeFacilitator, officialHeaderFor } from '../testing/fake-facilitator';
import { readHeader } from '../testing/samples';
import { startOfficialShop, type OfficialShop } from '../testing/official-shop';

let facilitator: FakeFacilitator;
let shop: OfficialShop;
beforeAll(async () => void (facilitator = await FakeFacilitator.start()));
afterAll(() => facilitator.close());
beforeEach(async () => {
  facilitator.reset();
  facilitator.keepsOutcomes = true;
  shop = await startOfficialShop(facilitator, { facilitator: { url: facilitator.url, keepsOutcomes: true } });
});
afterEach(() => shop.stop());

const header = async (scheme = 'exact') =>
  officialHeaderFor(await shop.required(), { pick: (offer) => offer.scheme === scheme });
const failing = () => ({
  body: { success: false, errorReason: 'insufficient_funds', transaction: '', network: evmNetwork },
});

describe('a streamed response', () => {
  const long = Array.from({ length: 400 }, (_, at) => `${at}${'.'.repeat(1_000)}\n`);

  it('sends the whole response after the charge', async () => {
    shop.handler.answer = (_request, response) => Readable.from(long).pipe(response.type('text'));
    const reply = await shop.pay(await header());
    expect(await reply.text()).toBe(long.join(''));
    expect(readHeader(reply.headers.get('payment-response'))).toMatchObject({ success: true });
  });

  it('charges when the response begins, before its end', async () => {
    let end!: () => void;
    shop.handler.answer = (_request, response) => {
      response.type('text').write('first ');
      end = () => response.end('last');
    };
    const reply = await shop.pay(await header());
    expect(facilitator.transfers).toHaveLength(1);
    end();
    expect(await reply.text()).toBe('first last');
  });

  it('drops the response after a failed charge', async () => {
    facilitator.changes.settle = failing;
    shop.handler.answer = (_request, response) =>
      Readable.from(long).pipe(response.set('Set-Cookie', 'secret=1').type('text'));
    const reply = await shop.pay(await header());
    expect(reply.status).toBe(402);
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(reply.headers.get('content-type')).toMatch(/json/);
    expect(await reply.json()).toMatchObject({ code: 'insufficient_funds' });
  });

  it('stores the whole response while the outcome is unknown', async () => {
    facilitator.changes.settle = () => ({ half: '{' });
    shop.handler.answer = (_request, response) => Readable.from(long).pipe(response.type('text'));
    const payment = await header();
    expect((await shop.pay(payment)).status).toBe(503);
    facilitator.changes = {};
    expect(await (await shop.pay(payment)).text()).toBe(long.join(''));
    expect(shop.handler.calls).toBe(1);
  });
});

it('keeps the headers of a stored response', async () => {
  facilitator.changes.settle = () => ({ half: '{' });
  shop.handler.answer = (_request, response) =>
    response.status(201).set('X-Kind', 'weather').set('Set-Cookie', ['a=1', 'b=2']).json({ sky: 'clear' });
  const payment = await header();
  expect((await shop.pay(payment)).headers.get('x-kind')).toBeNull();
  facilitator.changes = {};
  const reply = await shop.pay(payment);
  expect(reply.status).toBe(201);
  expect(reply.headers.get('x-kind')).toBe('weather');
  expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(reply.headers.get('cache-control')).toBe('private, no-store');
  expect(await reply.json()).toEqual({ sky: 'clear' });
});

it('charges and stores the response after the client has disconnected', async () => {
  let answer!: () => void;
  shop.handler.answer = (_request, response) => {
    answer = () => response.json({ sky: 'clear' });
  };
  const payment = await header();
  const request = get(`${shop.url}/sold`, { headers: { 'payment-signature': payment } });
  request.on('error', () => undefined);
  while (shop.handler.calls === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  request.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  answer();
  while (facilitator.transfers.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await eventually(async () => {
    const reply = await shop.pay(payment);
    expect([reply.status, await reply.json()]).toEqual([200, { sky: 'clear' }]);
  });
  expect(shop.handler.calls).toBe(1);
});

it('charges nothing for a response that the handler destroys before it begins', async () => {
  shop.handler.answer = (_request, response) => response.destroy();
  const payment = await header();
  await expect(shop.pay(payment)).rejects.toThrow();
  expect(facilitator.calls('settle')).toHaveLength(0);
  shop.handler.answer = (_request, response) => response.json({ sky: 'clear' });
  expect((await shop.pay(payment)).status).toBe(200);
});

it('answers 409 to a retry after the handler has aborted its response', async () => {
  let breakOff!: () => void;
  shop.handler.answer = (_request, response) => {
    response.write('first ');
    breakOff = () => response.destroy();
  };
  const payment = await header();
  const reply = await shop.pay(payment);
  breakOff();
  await expect(reply.text()).rejects.toThrow();
  await eventually(async () => expect((await shop.pay(payment)).status).toBe(409));
  expect(shop.handler.calls).toBe(1);
});

describe('chargeOnly', () => {
  it('lowers the charge of a payment by upto', async () => {
    shop.handler.answer = (request, response) => {
      request.payment!.chargeOnly!(400n);
      response.json({ cost: request.payment!.amount });
    };
    const reply = await shop.pay(await header('upto'));
    expect(await reply.json()).toEqual({ cost: '400' });
    expect(facilitator.transfers).toMatchObject([{ amount: '400' }]);
    expect(readHeader(reply.headers.get('payment-response'))).toMatchObject({ success: true, amount: '400' });
  });

  it('keeps the lower amount for the retry after an unknown outcome', async () => {
    facilitator.changes.settle = () => ({ half: '{' });
    shop.handler.answer = (request, response) => {
      request.payment!.chargeOnly!(400n);
      response.json({});
    };
    const payment = await header('upto');
    expect((await shop.pay(payment)).status).toBe(503);
    facilitator.changes = {};
    const reply = await shop.pay(payment);
    expect(readHeader(reply.headers.get('payment-response'))).toMatchObject({ amount: '400' });
    expect(
      facilitator.calls('settle').map(({ body }) => JSON.parse(body).paymentRequirements.amount),
    ).toEqual(['400', '400']);
  });

  it('rejects an amount above the price, and a change after the response has begun', async () => {
    const errors: unknown[] = [];
    shop.handler.answer = (request, response) => {
      const { chargeOnly } = request.payment!;
      const attempt = (amountAtomic: bigint) => {
        try {
          chargeOnly!(amountAtomic);
        } catch (error) {
          errors.push(error);
        }
      };
      attempt(1_001n);
      attempt(-1n);
      response.json({});
      attempt(1n);
    };
    await shop.pay(await header('upto'));
    expect(errors).toHaveLength(3);
    expect(facilitator.transfers).toMatchObject([{ amount: '1000' }]);
  });

  it('does not exist for exact payments', async () => {
    shop.handler.answer = (request, response) => response.json({ has: 'chargeOnly' in request.payment! });
    expect(await (await shop.pay(await header())).json()).toEqual({ has: false });
  });
});
