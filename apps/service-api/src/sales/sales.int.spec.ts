import { salesApi, smsApi, type SaleReply } from '@tollbridge/contracts';
import { Metrics } from '@tollbridge/observability';
import type { DomainError } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { PurchasesWorker } from '../purchases/purchases.worker';
import { SalesWorker } from './sales.worker';
import { readTransfer } from './solana/solana-transfer';
import { feePayer } from './testing/fake-payments';
import { solanaNetwork } from './testing/fake-solana';
import { WaysToPay } from './ways-to-pay';
import { awaitCode, SalesHarness, salesWallet, solanaSalesWallet } from './testing/sales-harness';

const input = { service: 'tg', country: 44 };
let harness: SalesHarness;

beforeAll(async () => {
  harness = await SalesHarness.start();
});
afterAll(() => harness?.close());
beforeEach(() => harness.reset());

const failureOf = (call: Promise<unknown>): Promise<DomainError> =>
  call.then(
    (reply) => Promise.reject(new Error(`it did not fail: ${JSON.stringify(reply)}`)),
    (error: DomainError) => error,
  );
const asked = (action: string) =>
  harness.sms.simulators.smsActivate.asked.filter((it) => it === action).length;
const worker = <T>(type: new (...given: never[]) => T): T =>
  harness.sms.apps[0]!.context.get(type as never, { strict: false });
const reasonOf = ({ receipt }: SaleReply) => receipt['errorReason'];
const payerOf = ({ payload, accepted }: Record<string, any>): string =>
  payload.authorization?.from ?? readTransfer(payload.transaction, accepted.asset)!.payer;
/** The provider's cost of 0.55 dollars, and the price with a margin of 20 percent. */
const [price, cost] = ['660000', '550000'];

describe('A quote', () => {
  it('returns the price of the body with the margin, in every way to pay', async () => {
    const { accepts, priceUsd, isFrom, costUsd, refundPolicy } = await harness.quote(input);
    expect([priceUsd, isFrom, costUsd]).toEqual(['0.66', false, '0.55']);
    expect(accepts).toMatchObject([
      { scheme: 'ton-nanopay', network: 'ton-mainnet', amount: price, asset: 'USDT' },
      { scheme: 'ton-nanopay', network: 'tvm:-239', amount: price, extra: { method: 'POST' } },
      {
        scheme: 'exact',
        network: 'eip155:8453',
        amount: price,
        payTo: salesWallet,
        extra: { name: 'USD Coin', version: '2' },
      },
      {
        scheme: 'exact',
        network: solanaNetwork,
        amount: price,
        payTo: solanaSalesWallet,
        extra: { feePayer },
      },
    ]);
    expect(refundPolicy).toHaveProperty('refund-policy');
  });

  it.each([undefined, {}, { service: 'tg', country: 'nowhere' }])(
    'returns the lowest price for the body %j',
    async (body) => {
      expect(await harness.quote(body)).toMatchObject({ priceUsd: '0.02', isFrom: true, costUsd: null });
    },
  );

  it('rejects an operation that is not sold', async () => {
    const failure = await failureOf(harness.quote(input, 'op.service-api.sms.code-status'));
    expect(failure.code).toBe('NOT_FOUND');
  });
});

describe('A sale', () => {
  it.each(['exact', 'solana', 'nano'] as const)('settles by %s before it buys', async (scheme) => {
    const payment = await harness[scheme](input);
    const reply = await harness.sell(payment, input);
    expect(reply).toMatchObject({
      outcome: 'served',
      output: { number: expect.stringMatching(/^\+447400\d{6}$/) },
      receipt: { success: true, amount: price },
    });
    expect(await harness.states()).toEqual(['bought']);
    expect(asked('getNumber')).toBe(1);
  });

  it('allows its purchase token to read its own code, but no other purchase', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(async () => harness.sell(await harness.exact(input), input)),
    );
    const read = (id: string, token: string) =>
      harness.sms.call(
        salesApi.operations.readSold,
        { operation: smsApi.operations.codeStatus.subject, input: { id }, token },
        { principal: 'public' },
      );
    const { id } = one!.output as { id: string };
    expect(await read(id, one!.purchaseToken!)).toMatchObject({ output: { id } });
    expect((await failureOf(read(id, other!.purchaseToken!))).code).toBe('NOT_FOUND');
    expect((await failureOf(read(id, `${one!.purchaseToken!.slice(0, -2)}AA`))).code).toBe('UNAUTHORIZED');
  });

  it('returns the same number for the same payment again, also from another replica', async () => {
    await harness.sms.startApp(harness.settings);
    const payment = await harness.exact(input);
    const copies = await Promise.all(Array.from({ length: 50 }, () => harness.sell(payment, input)));
    const later = await harness.sell(payment, input);
    const numbers = new Set([...copies, later].map(({ output }) => (output as { number: string }).number));
    expect(numbers.size).toBe(1);
    expect(asked('getNumber')).toBe(1);
    expect(harness.facilitator.received(salesWallet)).toBe(BigInt(price));
    await harness.sms.apps.pop()!.close();
  });

  it('rejects a payment with another body or operation, or copied from the chain', async () => {
    const payment = await harness.exact(input);
    await harness.sell(payment, input);
    const elsewhere = { service: 'tg', country: 1 };
    expect((await failureOf(harness.sell(payment, elsewhere))).code).toBe('CONFLICT');
    const message = { to: '+447400123456', body: 'hello' };
    const { sendSms } = smsApi.operations;
    expect((await failureOf(harness.sell(payment, message, sendSms.subject))).code).toBe('CONFLICT');
    // An attacker sees the authorization on the chain, and requests an offer for the same body.
    const { accepted } = await harness.exact(input);
    expect((await failureOf(harness.sell({ ...payment, accepted }, input))).code).toBe('CONFLICT');
    expect(asked('getNumber')).toBe(1);
  });

  it('sells once for an offer, whichever payment pays it', async () => {
    const payment = await harness.solana(input);
    const again = await harness.solana(input, { offer: payment['accepted'] });
    const replies = await Promise.allSettled([payment, again].map((it) => harness.sell(it, input)));
    expect(replies.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect([asked('getNumber'), harness.facilitator.settled.size]).toEqual([1, 1]);
  });

  it.each([
    ['a smaller amount', { amount: '1' }, 'invalid_payment_requirements'],
    ['another receiver', { payTo: Wallet.createRandom().address }, 'invalid_payment_requirements'],
    ['another network', { network: 'eip155:1' }, 'invalid_network'],
    ['another scheme', { scheme: 'upto' }, 'unsupported_scheme'],
    ['no offer', { extra: {} }, 'invalid_payment_requirements'],
  ])('charges nothing for %s', async (_title, changes, reason) => {
    const reply = await harness.sell(await harness.exact(input, changes), input);
    expect([reply.outcome, reasonOf(reply)]).toEqual(['unpaid', reason]);
    expect(harness.facilitator.asked).toBe(0);
    expect(await harness.states()).toEqual([]);
  });

  it('charges nothing for an offer of another body, or for an expired offer', async () => {
    const cheap = await harness.exact({ ...input, country: 'nowhere' });
    expect(reasonOf(await harness.sell(cheap, input))).toBe('invalid_payment_requirements');
    const payment = await harness.exact(input);
    harness.sms.clock.move(301_000);
    expect(reasonOf(await harness.sell(payment, input))).toBe('offer_expired');
    expect(harness.facilitator.asked).toBe(0);
  });

  it('charges nothing for an invalid body', async () => {
    const failure = await failureOf(harness.sell(await harness.exact({}), {}));
    expect(failure.code).toBe('VALIDATION_ERROR');
    expect(harness.facilitator.asked).toBe(0);
  });

  it('charges nothing when the payment is rejected, and accepts the same payment later', async () => {
    harness.facilitator.mode = () => 'reject';
    const payment = await harness.exact(input);
    expect(reasonOf(await harness.sell(payment, input))).toBe('insufficient_funds');
    expect([await harness.states(), asked('getNumber')]).toEqual([['rejected'], 0]);
    harness.facilitator.mode = () => 'settle';
    expect(await harness.sell(payment, input)).toMatchObject({ outcome: 'served' });
  });

  it('limits the amount that a payer spends in a day', async () => {
    const wallet = Wallet.createRandom().address;
    const message = { to: '+447400123456', body: 'x'.repeat(1_500) };
    const { sendSms } = smsApi.operations;
    const pay = async () => {
      const { accepts } = await harness.quote(message, sendSms.subject);
      const accepted = accepts.find(({ scheme }) => scheme === 'exact')!;
      const { payload } = (await harness.exact(input, {}, { wallet })) as { payload: any };
      const authorization = { ...payload.authorization, value: accepted['amount'] };
      const payment = { x402Version: 2, accepted, payload: { ...payload, authorization } };
      return harness.sell(payment, message, sendSms.subject);
    };
    let count = 0;
    const failure = await failureOf(
      (async () => {
        for (; count < 20; count++) await pay();
      })(),
    );
    expect([failure.code, count > 2]).toEqual(['RATE_LIMIT_EXCEEDED', true]);
  });
});

describe('A settlement without an answer', () => {
  it.each(['pending', 'lost'] as const)(
    'returns 503 while it is %s, and completes when the call is repeated',
    async (mode) => {
      harness.facilitator.mode = () => mode;
      const payment = await harness.exact(input);
      expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
      expect(asked('getNumber')).toBe(0);
      harness.facilitator.mode = () => 'settle';
      expect(await harness.sell(payment, input)).toMatchObject({ outcome: 'served' });
      expect([asked('getNumber'), harness.facilitator.settled.size]).toEqual([1, 1]);
    },
  );

  it('refunds a payer that does not repeat the call', async () => {
    harness.facilitator.mode = ({ to }) =>
      to.toLowerCase() === salesWallet.toLowerCase() ? 'lost' : 'settle';
    const payment = await harness.exact(input);
    await failureOf(harness.sell(payment, input));
    harness.facilitator.mode = () => 'settle';
    await eventually(async () => {
      harness.sms.clock.move(60_000);
      await worker(SalesWorker).step();
      expect(await harness.states()).toEqual(['refunded']);
    });
    expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(price));
    expect(asked('getNumber')).toBe(0);
    expect(await harness.sell(payment, input)).toMatchObject({ outcome: 'declined' });
  });

  it('refunds a nano-payment before the sale counts as rejected', async () => {
    harness.charges.mode = 'lost';
    const payment = await harness.nano(input);
    await failureOf(harness.sell(payment, input));
    harness.charges.mode = 'reject';
    expect((await harness.sell(payment, input)).outcome).toBe('unpaid');
    expect([...harness.charges.charged.values()]).toEqual(['voided']);
  });
});

describe('A declined purchase', () => {
  const decline = () => {
    const { numbers } = harness.sms.simulators.smsActivate;
    const balance = numbers.balanceMicros;
    numbers.balanceMicros = 0n;
    return () => void (numbers.balanceMicros = balance);
  };

  it.each(['exact', 'solana', 'nano'] as const)('refunds once in full: %s', async (scheme) => {
    const payment = await harness[scheme](input);
    const restore = decline();
    const replies = await Promise.all([1, 2, 3].map(() => harness.sell(payment, input)));
    restore();
    for (const reply of replies)
      expect(reply).toMatchObject({
        outcome: 'declined',
        failure: { code: expect.any(String) },
        receipt: { success: false, errorReason: 'refunded', extra: { refundedAmount: price } },
      });
    await eventually(async () => expect(await harness.states()).toEqual(['refunded']));
    if (scheme === 'nano') expect([...harness.charges.charged.values()]).toEqual(['voided']);
    else expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(price));
    // The payment cannot buy later.
    expect(await harness.sell(payment, input)).toMatchObject({
      outcome: 'declined',
      receipt: { extra: { refund: 'done' } },
    });
    expect(await worker(SalesWorker).step()).toBeDefined();
    expect(harness.facilitator.settled.size).toBe(scheme === 'nano' ? 0 : 2);
  });

  it('marks the sale as stuck, and shows it to operators, when its refund was sent and failed', async () => {
    harness.facilitator.mode = ({ to }) =>
      to.toLowerCase() === salesWallet.toLowerCase() ? 'settle' : 'revert';
    const payment = await harness.exact(input);
    const restore = decline();
    await harness.sell(payment, input);
    restore();
    await eventually(async () => expect(await harness.states()).toEqual(['stuck']));
    expect((await worker(Metrics).exposition()).text).toMatch(/^tollbridge_sale_refunds_stuck\{.*\} 1$/m);
    expect(harness.facilitator.received(payerOf(payment))).toBe(0n);
  });

  it('refunds with the same authorization after a lost reply', async () => {
    const isRefund = (to: string) => to.toLowerCase() !== salesWallet.toLowerCase();
    harness.facilitator.mode = ({ to }) => (isRefund(to) ? 'lost' : 'settle');
    const payment = await harness.exact(input);
    const restore = decline();
    await harness.sell(payment, input);
    restore();
    await eventually(async () => expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(price)));
    harness.facilitator.mode = () => 'settle';
    await eventually(async () => {
      harness.sms.clock.move(60_000);
      expect(await harness.states()).toEqual(['refunded']);
    });
    expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(price));
  });
});

describe('A purchase of unknown outcome', () => {
  // The simulator loses the reply to this input.
  const lostInput = { service: 'x5', country: 91 };

  it('looks up the purchase, and then returns it', async () => {
    harness.sms.simulators.smsActivate.numbers.codeAfterMs = 3_600_000;
    const payment = await harness.exact(lostInput);
    expect((await failureOf(harness.sell(payment, lostInput))).code).toBe('OUTCOME_UNKNOWN');
    expect(await harness.states()).toEqual(['settled']);
    await eventually(async () => {
      harness.sms.clock.move(10_000);
      await worker(PurchasesWorker).step();
      expect(await harness.sell(payment, lostInput)).toMatchObject({ outcome: 'served' });
    });
    expect([asked('getNumber'), harness.facilitator.settled.size]).toEqual([1, 1]);
  });
});

describe('A number that is bought with a wait for its code', () => {
  const wish = { ...input, timeout: 120 };
  const pay = () => harness.exact(wish, {}, { operation: awaitCode.subject });
  const boughtOnce = () => {
    expect(asked('getNumber')).toBe(1);
    expect(harness.facilitator.received(salesWallet)).toBe(BigInt(price));
  };

  it('buys once and returns the code, for copies of the payment and a later repetition', async () => {
    const payment = await pay();
    const copies = await Promise.all([1, 2, 3].map(() => harness.sellAwaited(payment, wish)));
    const all = [...copies, await harness.sellAwaited(payment, wish)];
    const output = { number: expect.any(String), code: expect.stringMatching(/^\d+$/) };
    for (const reply of all) expect(reply).toMatchObject({ outcome: 'served', output });
    expect(new Set(all.map((reply) => JSON.stringify(reply.output))).size).toBe(1);
    boughtOnce();
    expect((await failureOf(harness.sellAwaited(payment, { ...wish, timeout: 30 }))).code).toBe('CONFLICT');
  });

  it('keeps the number of a disconnected payer, and continues to wait in another replica', async () => {
    const { numbers } = harness.sms.simulators.smsActivate;
    numbers.codeAfterMs = 3_600_000;
    const payment = await pay();
    const end = new AbortController();
    const cut = failureOf(harness.sellAwaited(payment, wish, end.signal));
    await eventually(async () => expect(await harness.states()).toEqual(['bought']));
    end.abort();
    expect((await cut).code).toBe('OUTCOME_UNKNOWN');
    await harness.sms.startApp(harness.settings);
    await harness.sms.apps.shift()!.close();
    const priced = asked('getPrices');
    numbers.all()[0]!.codeAtMs = harness.sms.clock.now();
    expect(await harness.sellAwaited(payment, wish)).toMatchObject({
      outcome: 'served',
      output: { code: expect.any(String) },
    });
    // The number is found without a new price request, so also when no other number is available.
    expect(asked('getPrices')).toBe(priced);
    boughtOnce();
  });

  it('refunds once without the margin when no code arrives in time', async () => {
    harness.sms.simulators.smsActivate.numbers.codeAfterMs = 10 * 86_400_000;
    const short = { ...input, timeout: 1 };
    const payment = await harness.exact(short, {}, { operation: awaitCode.subject });
    expect(await harness.sellAwaited(payment, short)).toMatchObject({
      outcome: 'served',
      output: { code: null, timeout: true },
    });
    await eventually(async () => {
      harness.sms.clock.move(60_000);
      await worker(SalesWorker).step();
      expect(await harness.states()).toEqual(['refunded']);
    });
    expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(cost));
    expect((await harness.sellAwaited(payment, short)).outcome).toBe('declined');
    expect(asked('getNumber')).toBe(1);
  });
});

describe('A number without a code', () => {
  it('refunds its price without the margin', async () => {
    harness.sms.simulators.smsActivate.numbers.codeAfterMs = 10 * 86_400_000;
    const payment = await harness.exact(input);
    await harness.sell(payment, input);
    await eventually(async () => {
      harness.sms.clock.move(5 * 60_000);
      await worker(PurchasesWorker).step();
      await worker(SalesWorker).step();
      expect(await harness.states()).toEqual(['refunded']);
    });
    expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(cost));
  });
});

describe('A payment on Solana', () => {
  const decline = () => {
    const { numbers } = harness.sms.simulators.smsActivate;
    const balance = numbers.balanceMicros;
    numbers.balanceMicros = 0n;
    return () => void (numbers.balanceMicros = balance);
  };
  const stepOfRefund = async () => {
    harness.sms.clock.move(5 * 60_000);
    await worker(SalesWorker).step();
  };

  it('appears in no offer while the sales wallet has no token account', async () => {
    const ways = worker(WaysToPay);
    const networks = async () => {
      ways['cached'] = undefined;
      return (await ways.all()).map(({ network }) => network);
    };
    harness.solanaNode.hasAccounts = false;
    expect(await networks()).not.toContain(solanaNetwork);
    harness.solanaNode.hasAccounts = true;
    expect(await networks()).toContain(solanaNetwork);
  });

  it('buys once, and only for the request and offer that it was sent with', async () => {
    const payment = await harness.solana(input);
    const copies = await Promise.all(Array.from({ length: 10 }, () => harness.sell(payment, input)));
    expect(new Set(copies.map(({ output }) => (output as { number: string }).number)).size).toBe(1);
    const failed = async (changed: object, body = input) =>
      (await failureOf(harness.sell({ ...payment, ...changed }, body))).code;
    expect(await failed({}, { service: 'tg', country: 1 })).toBe('CONFLICT');
    const { accepted } = await harness.solana(input);
    expect(await failed({ accepted })).toBe('CONFLICT');
    // The same message with another first signature, which is the one that the facilitator adds.
    const wire = Buffer.from(payment['payload'].transaction, 'base64');
    wire.fill(7, 1, 65);
    const reply = await harness.sell(
      { ...payment, payload: { transaction: wire.toString('base64') } },
      input,
    );
    expect(reply.output).toEqual(copies[0]!.output);
    expect([asked('getNumber'), harness.facilitator.settled.size]).toEqual([1, 1]);
  });

  it.each<[string, (payment: Record<string, any>) => void, string]>([
    ['a smaller amount', (it) => (it['accepted'].amount = '1'), 'invalid_payment_requirements'],
    ['another receiver', (it) => (it['accepted'].payTo = feePayer), 'invalid_payment_requirements'],
    ['another token', (it) => (it['accepted'].asset = feePayer), 'invalid_payload'],
    ['another cluster', (it) => (it['accepted'].network = `${solanaNetwork}x`), 'invalid_network'],
    ['no transaction', (it) => (it['payload'] = { transaction: 'AAAA' }), 'invalid_payload'],
  ])('charges nothing for %s', async (_title, change, reason) => {
    const payment = structuredClone(await harness.solana(input));
    change(payment);
    expect(reasonOf(await harness.sell(payment, input))).toBe(reason);
    expect([harness.facilitator.asked, await harness.states()]).toEqual([0, []]);
  });

  it('charges nothing while Solana does not answer', async () => {
    const payment = await harness.solana(input);
    harness.solanaNode.isDown = true;
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    expect([harness.facilitator.asked, await harness.states()]).toEqual([0, []]);
  });

  it('stays unknown until its last block height is final, and is then rejected', async () => {
    harness.facilitator.mode = () => 'pending';
    const payment = await harness.solana(input);
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    harness.facilitator.mode = () => 'reject';
    expect((await failureOf(harness.sell(payment, input))).code).toBe('SERVICE_UNAVAILABLE');
    harness.solanaNode.height += 1_000;
    expect(reasonOf(await harness.sell(payment, input))).toBe('insufficient_funds');
    expect(asked('getNumber')).toBe(0);
  });

  it('buys once when the apps stop before the reply to the settlement', async () => {
    const payment = await harness.solana(input);
    let stopped: Promise<unknown> | undefined;
    harness.facilitator.mode = () => 'lost';
    harness.facilitator.beforeAnswer = async () => {
      stopped ??= Promise.all(harness.sms.apps.splice(0).map((app) => app.close()));
    };
    await failureOf(harness.sell(payment, input));
    await stopped;
    harness.facilitator.mode = () => 'settle';
    await harness.sms.startApp(harness.settings);
    harness.sms.clock.move(61_000);
    expect(await harness.sell(payment, input)).toMatchObject({ outcome: 'served' });
    expect([asked('getNumber'), harness.facilitator.settled.size]).toEqual([1, 1]);
  });

  it('gets a new refund transaction only after the old one has expired unused', async () => {
    const isRefund = (to: string) => to !== solanaSalesWallet;
    harness.facilitator.mode = ({ to }) => (isRefund(to) ? 'reject' : 'settle');
    const payment = await harness.solana(input);
    const restore = decline();
    await harness.sell(payment, input);
    restore();
    const stored = async () => {
      const [row] = await harness.sms.database.query<{ refund: { transaction: string } | null }>(
        'SELECT refund FROM sales',
      );
      return row?.refund?.transaction;
    };
    await eventually(async () => expect(await stored()).toBeDefined());
    const first = await stored();
    await stepOfRefund();
    expect(await stored()).toBe(first);
    harness.solanaNode.height += 1_000;
    await stepOfRefund();
    const second = await stored();
    expect(second).not.toBe(first);
    // The transaction was sent, and no block will ever contain it.
    const { nonce } = readTransfer(second, payment['accepted'].asset)!;
    harness.facilitator.mode = (it) => (it.nonce === nonce ? 'expire' : 'pending');
    await stepOfRefund();
    expect(await stored()).not.toBe(second);
    harness.facilitator.mode = () => 'settle';
    await eventually(async () => {
      await stepOfRefund();
      expect(await harness.states()).toEqual(['refunded']);
    });
    expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(price));
  });
});
