import { resendApi, swapQuotesApi, type SaleReply } from '@tollbridge/contracts';
import type { DomainError } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { getAddress } from 'ethers';
import { SalesWorker } from './sales.worker';
import { SalesHarness, salesWallet } from './testing/sales-harness';

const { sendEmail, makeAgentEmail } = resendApi.operations;
const { quoteSwap } = swapQuotesApi.operations;
const mail = { to: 'customer@example.com', subject: 'Your order', text: 'It is on its way.' };
const price = '30000';

let harness: SalesHarness;
beforeAll(async () => {
  // The harness starts two replicas.
  harness = await SalesHarness.start();
});
afterAll(() => harness?.close());
beforeEach(() => harness.reset());

const pay = (body: object = mail, operation = sendEmail.subject) => harness.exact(body, {}, { operation });
const send = (payment: object, body: object = mail) => harness.sell(payment, body, sendEmail.subject);
const payerOf = (payment: Record<string, any>) => payment['payload'].authorization.from as string;
const failureOf = (call: Promise<unknown>): Promise<DomainError> =>
  call.then(
    (reply) => Promise.reject(new Error(`it did not fail: ${JSON.stringify(reply)}`)),
    (error: DomainError) => error,
  );
const work = () => harness.sms.apps[0]!.context.get(SalesWorker, { strict: false }).step();
const idOf = ({ output }: SaleReply) => (output as { id?: string } | undefined)?.id;
/** Settles a payment without executing its operation. */
async function settled(payment: Record<string, any>): Promise<void> {
  harness.mailer.mode = 'lost';
  await failureOf(send(payment));
  expect(await harness.states()).toEqual(['settled']);
}

describe('A quote of a response', () => {
  it("returns the operator's price, also for an invalid body", async () => {
    expect(await harness.quote(mail, sendEmail.subject)).toMatchObject({ priceUsd: '0.03', isFrom: false });
    for (const body of [undefined, {}, { ...mail, text: ' ' }])
      expect(await harness.quote(body, sendEmail.subject)).toMatchObject({ priceUsd: '0.03', isFrom: true });
  });

  it('rejects an operation that is off, or that has no provider', async () => {
    for (const subject of [
      'op.service-api.agentmail.send-from-agent-inbox',
      'op.service-api.email.create-email-account',
    ])
      expect((await failureOf(harness.quote({}, subject))).code).toBe('NOT_FOUND');
  });
});

describe('A response', () => {
  it('executes once for copies of a payment on two replicas, and replays for the same payment later', async () => {
    let finish = () => undefined as void;
    harness.mailer.mode = new Promise((resolve) => (finish = resolve));
    const payment = await pay();
    const copies = Promise.all(Array.from({ length: 20 }, () => send(payment)));
    await eventually(() => expect(harness.mailer.asked).toBe(1));
    finish();
    for (const reply of [...(await copies), await send(payment)]) {
      expect(reply).toMatchObject({
        outcome: 'served',
        output: { id: 'mail-1' },
        receipt: { success: true, amount: price },
      });
      expect(reply.purchaseToken).toBeUndefined();
    }
    expect([harness.mailer.asked, await harness.states()]).toEqual([1, ['bought']]);
    expect(harness.facilitator.received(salesWallet)).toBe(BigInt(price));
  });

  it('executes at most once, also after its stored reply has expired', async () => {
    const payment = await pay();
    await send(payment);
    harness.sms.clock.move(25 * 3_600_000);
    for (let time = 1; time <= 2; time++) expect((await failureOf(send(payment))).code).toBe('CONFLICT');
    await work();
    expect([harness.mailer.asked, await harness.states()]).toEqual([1, ['bought']]);
  });

  it('rejects another body, another operation and a payment that was copied from the chain', async () => {
    const payment = await pay();
    await send(payment);
    expect((await failureOf(send(payment, { ...mail, to: 'thief@example.com' }))).code).toBe('CONFLICT');
    const agent = { agentId: 'shop' };
    const elsewhere = harness.sell(payment, agent, makeAgentEmail.subject);
    expect((await failureOf(elsewhere)).code).toBe('CONFLICT');
    const { accepted } = await pay();
    expect((await failureOf(send({ ...payment, accepted }))).code).toBe('CONFLICT');
    const cheap = await pay(agent, makeAgentEmail.subject);
    expect((await send(cheap)).outcome).toBe('unpaid');
    expect(harness.mailer.asked).toBe(1);
  });

  it('refunds once in full when the provider declines, and does not execute again', async () => {
    harness.mailer.mode = 'reject';
    const payment = await pay();
    const replies = await Promise.all([1, 2, 3].map(() => send(payment)));
    harness.mailer.mode = 'send';
    for (const reply of [...replies, await send(payment)])
      expect(reply).toMatchObject({ outcome: 'declined', failure: { code: 'PURCHASE_REFUSED' } });
    await eventually(async () => expect(await harness.states()).toEqual(['refunded']));
    expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(price));
    expect([harness.mailer.asked, harness.mailer.sent.size]).toEqual([1, 0]);
  });

  it('completes an unknown outcome when the call is repeated, and sends once', async () => {
    const payment = await pay();
    await settled(payment);
    harness.mailer.mode = 'send';
    expect(idOf(await send(payment))).toBe('mail-1');
    expect([harness.mailer.sent.size, await harness.states()]).toEqual([1, ['bought']]);
  });

  it('refunds an unknown outcome in full when the payer does not repeat the call', async () => {
    const payment = await pay();
    await settled(payment);
    harness.sms.clock.move(9 * 60_000);
    await work();
    expect(await harness.states()).toEqual(['settled']);
    await eventually(async () => {
      harness.sms.clock.move(60_000);
      await work();
      expect(await harness.states()).toEqual(['refunded']);
    });
    harness.mailer.mode = 'send';
    expect((await send(payment)).outcome).toBe('declined');
    expect(harness.facilitator.received(payerOf(payment))).toBe(BigInt(price));
    expect(harness.mailer.asked).toBe(1);
  });

  it('does not refund during the execution', async () => {
    let finish = () => undefined as void;
    const payment = await pay();
    await settled(payment);
    // Before the refund after ten minutes. The lease of the call ends 70 s later.
    harness.sms.clock.move(9.5 * 60_000);
    harness.mailer.mode = new Promise((resolve) => (finish = resolve));
    const call = send(payment);
    // A call that ends before it sends shows its reason.
    await Promise.race([eventually(() => expect(harness.mailer.asked).toBe(2)), call]);
    harness.sms.clock.move(45_000);
    await work();
    expect(await harness.states()).toEqual(['settled']);
    finish();
    expect(idOf(await call)).toBe('mail-1');
    expect(await harness.states()).toEqual(['bought']);
  });
});

describe('A quote of a swap', () => {
  const token = { address: salesWallet, chainId: 8453, decimals: 6, symbol: 'USDC' };
  const wish = {
    inputToken: token,
    outputToken: { ...token, address: getAddress(`0x${'12'.repeat(20)}`) },
    inputAmount: '1000',
  };
  const buy = (payment: object) => harness.sell(payment, wish, quoteSwap.subject);
  const asked = (action: string) =>
    harness.quotes.calls.filter(({ subject }) => subject.endsWith(action)).length;

  it('requests one quote, with the payer as its owner', async () => {
    const payment = await pay(wish, quoteSwap.subject);
    const replies = [await buy(payment), await buy(payment)];
    for (const reply of replies)
      expect(reply).toMatchObject({
        outcome: 'served',
        output: { quoteId: 'quote-1', payer: getAddress(payerOf(payment)) },
        receipt: { amount: '20000' },
      });
    expect(asked('quote-for-payer')).toBe(1);
  });

  it('charges nothing for a request that tx-engine rejects', async () => {
    const payment = await pay(wish, quoteSwap.subject);
    harness.quotes.answer = () => ({
      failure: { code: 'VALIDATION_ERROR', message: 'The token is not known.' },
    });
    expect(await harness.quote(wish, quoteSwap.subject)).toMatchObject({ isFrom: true });
    expect((await failureOf(buy(payment))).code).toBe('VALIDATION_ERROR');
    expect(harness.facilitator.asked).toBe(0);
  });

  it('refunds the payment when no provider quotes', async () => {
    const payment = await pay(wish, quoteSwap.subject);
    const { answer } = harness.quotes;
    harness.quotes.answer = (call) =>
      call.subject.endsWith('check-quote')
        ? answer(call)
        : { failure: { code: 'QUOTE_UNAVAILABLE', message: 'None.' } };
    expect(await buy(payment)).toMatchObject({ outcome: 'declined', failure: { code: 'QUOTE_UNAVAILABLE' } });
    await eventually(async () => expect(await harness.states()).toEqual(['refunded']));
  });
});
