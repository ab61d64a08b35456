import {
  internalPaymentsApi,
  publicPaylinksApi,
  type AttemptState,
  type PayLinkCheckout,
  type PayLinkCheckoutRequest,
  type PaymentRequestFound,
  type PublicPayLink,
  type RecordPaymentReply,
} from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { findChain } from '@tollbridge/chains';
import { GatewayHarness } from '../../testing/gateway-harness';
import { rendererFixture } from '../../testing/renderer-fixture';
import { PageRenderer } from '../parts/layout';
import { PageHandlers, PageRoutes } from '../serving/page-routes';
import { walletUri } from './paylink-page';
import { PayLinkPages } from './paylink-pages';
import { payLinkRoutes } from './paylink.routes';
import { aPublicPayLink } from './testing/public-paylink.builder';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const checkout = '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20';
const payment = '7d0f5b9e-3c21-4a77-9e15-60c2f4b8a913';
const txHash = `0x${'a'.repeat(64)}`;
const receiver = '0x1111111111111111111111111111111111111111';
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const sample = aPublicPayLink();

let link: PublicPayLink | undefined;
let recorded: RecordPaymentReply | DomainError;
/** The checkout for a key. */
let started: ((key: string) => PayLinkCheckout) | DomainError;
/** The checkout that the browser has opened before. */
let opened: PaymentRequestFound | undefined;
/** Other checkouts of the link. */
let known: PaymentRequestFound[];
let asked: unknown[];
let harness: GatewayHarness;
const call = async (operation: unknown, input: unknown) => {
  if (operation === publicPaylinksApi.operations.getPublicPayLink) {
    if (link) return link;
    throw new DomainError('NOT_FOUND', 'The PayLink does not exist. Check its id.');
  }
  if (operation === internalPaymentsApi.operations.findPaymentRequest) {
    const { id: wanted } = input as { id: string };
    const found = [opened, ...known].find((each) => each?.id === wanted);
    if (found) return found;
    throw new DomainError('NOT_FOUND', 'The payment request does not exist. Check its id.');
  }
  asked.push(input);
  if (operation === publicPaylinksApi.operations.startPayLinkCheckout) {
    if (started instanceof DomainError) throw started;
    return started((input as PayLinkCheckoutRequest).key!);
  }
  if (recorded instanceof DomainError) throw recorded;
  // The link closes after its last payment.
  link = undefined;
  return recorded;
};

beforeAll(async () => {
  harness = await GatewayHarness.open({
    providers: [
      PayLinkPages,
      { provide: PageRenderer, useValue: rendererFixture() },
      {
        provide: PageHandlers,
        useFactory: ({ handlers }: PayLinkPages) => handlers,
        inject: [PayLinkPages],
      },
      PageRoutes,
    ],
    routes: payLinkRoutes,
    call,
  });
});
afterAll(() => harness.close());
beforeEach(() => {
  link = sample;
  opened = undefined;
  asked = [];
  recorded = { success: true, verified: true };
  known = [checkoutFixture(checkout, 'pending')];
  started = () => startedAs(checkout);
});

const startedAs = (request: string): PayLinkCheckout => ({
  payment_request_id: request,
  payment_link: `https://gateway.example/checkout/${request}`,
  expires_at: '2026-11-29T12:00:00.000Z',
});
const checkoutFixture = (
  request: string,
  status: Required<PaymentRequestFound>['status'],
  changes: Partial<PaymentRequestFound> = {},
): PaymentRequestFound => ({
  id: request,
  status,
  amount: sample.amount,
  paylink_id: id,
  attempt: null,
  ...changes,
});

const open = (headers: Record<string, string> = {}) => harness.send('GET', `/l/${id}`, { headers });
const startForm = (body: string, path = `/l/${id}/checkout`, headers: Record<string, string> = {}) =>
  harness.server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });
const keyOf = (body: string) => /name="key" value="([^"]+)"/.exec(body)![1]!;
const report = (body = `txHash=+${txHash}+`) =>
  harness.server.inject({
    method: 'POST',
    url: `/l/${id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });

describe('the page of a link', () => {
  it('shows the payment instructions, a QR code and a form', async () => {
    const { statusCode, body, headers } = await open();
    expect(statusCode).toBe(200);
    for (const text of [
      '3.5 USDC',
      'Espresso',
      'A double one',
      'Base',
      receiver,
      usdc,
      '31 Dec 2026, 23:59 UTC',
    ])
      expect(body).toContain(text);
    expect(body).toContain('aria-label="Pay 3.5 USDC"');
    expect(body).toContain(`<form method="post" action="/l/${id}">`);
    expect(headers['content-security-policy']).toContain("img-src 'self';");
    expect(body).not.toMatch(/<script|javascript:/);
  });

  it('escapes the texts of the merchant, and loads no image of another site', async () => {
    const hostile = '"><script>alert(1)</script>';
    for (const imageUrl of [
      'javascript:alert(1)',
      'https://shop.example/a.png',
      'data:image/svg+xml,<svg>',
    ]) {
      link = { ...sample, name: hostile, description: hostile, imageUrl };
      const { body } = await open();
      expect(body).not.toContain('<script>');
      expect(body).not.toContain('<img');
    }
  });

  it('shows the name of the shop with its address', async () => {
    link = { ...sample, storeName: 'Corner <Café>' };
    const { body } = await open();
    expect(body).toMatch(
      new RegExp(
        `<strong><bdi>Corner &lt;Café&gt;</bdi></strong\\s*><br /><code dir="ltr">${receiver}</code>`,
      ),
    );
    const reported = await report();
    expect(reported.body).toContain('to <bdi>Corner &lt;Café&gt;</bdi>');
    link = sample;
    expect((await open()).body).not.toContain('<strong>');
  });

  it('shows the minimum of a link with an open amount', async () => {
    link = { ...sample, openAmount: true, amount: '0', minAmount: '1000000' };
    expect((await open()).body).toContain('1 USDC or more');
    link = { ...link, minAmount: '1', expiresAt: null };
    const { body } = await open();
    expect(body).toContain('Any amount of USDC');
    expect(body).not.toMatch(/Until/);
  });

  it('warns of a receiving address that the merchant has not proven', async () => {
    const warning = 'The merchant has not proven that this address is theirs';
    expect((await open()).body).not.toContain(warning);
    link = { ...sample, receiverVerified: false };
    expect((await open()).body).toContain(warning);
  });

  it('shows the reference of the link when its network supports references', async () => {
    expect((await open()).body).toContain(sample.reference!);
    link = { ...sample, reference: null };
    expect((await open()).body).not.toContain('Reference');
  });

  it('returns 404 for a link that accepts no payments, and contains the form', async () => {
    link = undefined;
    const { statusCode, body } = await open();
    expect(statusCode).toBe(404);
    expect(body).toContain('Do not pay it.');
    expect(body).toContain(`action="/l/${id}"`);
  });
});

describe('the button of a link', () => {
  it('starts no checkout when the page is read, and only one for any number of clicks', async () => {
    const { body } = await open();
    expect(asked).toEqual([]);
    expect(body).toContain(`<form method="post" action="/l/${id}/checkout">`);
    const key = keyOf(body);
    const [first, second] = [await startForm(`key=${key}`), await startForm(`key=${key}`)];
    for (const reply of [first, second])
      expect([reply.statusCode, reply.headers.location]).toEqual([303, `/checkout/${checkout}`]);
    expect(asked).toEqual([
      { id, key },
      { id, key },
    ]);
    expect(keyOf((await open()).body)).not.toBe(key);
  });

  it('keeps the language, and leads back to the link when the reply to the form is reloaded', async () => {
    const { headers } = await startForm('', `/l/${id}/checkout?lang=de`);
    expect(headers.location).toBe(`/checkout/${checkout}?lang=de`);
    expect((await harness.send('GET', `/l/${id}/checkout`)).headers.location).toBe(`/l/${id}`);
  });

  it("accepts the decimal comma of the page's language, and rejects ambiguous amounts", async () => {
    link = { ...sample, openAmount: true, amount: '0', minAmount: '1500000' };
    expect((await harness.send('GET', `/l/${id}?lang=de`)).body).toContain('1,5 USDC');
    const path = `/l/${id}/checkout?lang=de`;
    expect((await startForm('key=k&amount=2,5', path)).statusCode).toBe(303);
    expect(asked).toEqual([{ id, key: 'k', amount: '2500000' }]);
    expect((await startForm('key=k&amount=1.234,5', path)).statusCode).toBe(400);
    expect((await startForm('key=k&amount=2,5')).statusCode).toBe(400);
  });

  it('accepts the amount of an open link in whole tokens', async () => {
    link = { ...sample, openAmount: true, amount: '0', minAmount: '1000000' };
    const key = keyOf((await open()).body);
    await startForm(`key=${key}&amount=2.5`);
    expect(asked).toEqual([{ id, key, amount: '2500000' }]);
    for (const amount of ['', 'x', '1.1234567', '-1']) {
      const reply = await startForm(`key=${key}&amount=${amount}`);
      expect(reply.statusCode).toBe(400);
      expect(reply.body).toContain('Check the amount.');
    }
    started = DomainError.invalid([{ field: 'amount', message: 'must be at least 1000000' }]);
    expect((await startForm('amount=0.1')).body).toContain('must be at least 1000000');
    expect(asked).toHaveLength(2);
  });

  it.each(['expired', 'canceled'] as const)(
    'starts a new checkout from an old page when the checkout of the page is %s',
    async (status) => {
      const [newer, newest] = [payment, '3b9e61c0-2d47-4f83-9a1c-7e0f5d8b4c26'];
      const next = new Map([
        [id, checkout],
        [checkout, newer],
        [newer, newest],
      ]);
      started = (key) => startedAs(next.get(key)!);
      known = [
        checkoutFixture(checkout, status),
        checkoutFixture(newer, status),
        checkoutFixture(newest, 'pending'),
      ];
      for (const _click of [1, 2]) {
        const reply = await startForm(`key=${id}`);
        expect(reply.headers.location).toBe(`/checkout/${newest}`);
        expect(String(reply.headers['set-cookie'])).toContain(`tollbridge_checkout=${newest};`);
      }
    },
  );

  it('leads from an old page to the payment in flight of its expired checkout', async () => {
    const attempt = { payment_id: payment, state: 'sent' as const, tx_hash: txHash, until: null };
    known = [checkoutFixture(checkout, 'expired', { attempt })];
    expect((await startForm(`key=${id}`)).headers.location).toBe(`/checkout/${checkout}/${payment}`);
    expect(asked).toEqual([{ id, key: id }]);
  });

  it('starts at most five checkouts for one click', async () => {
    known = [checkoutFixture(checkout, 'expired')];
    expect((await startForm(`key=${id}`)).headers.location).toBe(`/checkout/${checkout}`);
    expect(asked).toHaveLength(5);
  });

  it('returns 404 for a link that closed meanwhile', async () => {
    link = undefined;
    expect((await startForm('')).statusCode).toBe(404);
    expect(asked).toEqual([]);
  });
});

describe('the page of a link in a browser that has opened it before', () => {
  const remembering = { cookie: `a=b; tollbridge_checkout=${checkout}` };
  const click = (body: string) => startForm(body, `/l/${id}/checkout`, remembering);
  const checkoutIn = (
    status: Required<PaymentRequestFound>['status'],
    state?: AttemptState,
    changes: Partial<PaymentRequestFound> = {},
  ) => {
    const attempt = state ? { payment_id: payment, state, tx_hash: null, until: null } : null;
    opened = checkoutFixture(checkout, status, { attempt, ...changes });
  };

  it('sets one key for a week and all tabs, which has priority over the keys of their forms', async () => {
    const reply = await open();
    const set = String(reply.headers['set-cookie']);
    expect(set).toBe(
      `tollbridge_checkout_key=${keyOf(reply.body)}; Path=/l/${id}; HttpOnly; Max-Age=604800; SameSite=None; Secure; Partitioned`,
    );
    const [cookie] = set.split(';');
    const again = await open({ cookie: cookie! });
    expect([keyOf(again.body), again.headers['set-cookie']]).toEqual([keyOf(reply.body), undefined]);
    const other = keyOf((await open()).body);
    const click = await startForm(`key=${other}`, `/l/${id}/checkout`, { cookie: cookie! });
    expect(asked).toEqual([{ id, key: keyOf(reply.body) }]);
    expect(String(click.headers['set-cookie'])).toContain(`tollbridge_checkout=${checkout}; Path=/l/${id};`);
  });

  it.each([
    ['between the replies', true],
    ['after both replies', false],
  ])('starts one checkout from two concurrent first visits, with a click %s', async (_at, isBetween) => {
    const [first, last] = await Promise.all([open(), open()]);
    const jar = new Map<string, string>();
    const store = (reply: Awaited<ReturnType<typeof open>>) => {
      const [name, value] = String(reply.headers['set-cookie']).split(';')[0]!.split('=');
      jar.set(name!, value!);
      return reply;
    };
    const clickIn = async (page: { body: string }) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      return store(await startForm(`key=${keyOf(page.body)}`, `/l/${id}/checkout`, { cookie })).headers
        .location;
    };
    const key = keyOf((isBetween ? first : last).body);
    started = (given) => startedAs(given === key ? checkout : payment);
    store(first);
    if (!isBetween) store(last);
    const place = await clickIn(first);
    checkoutIn('pending');
    if (isBetween) store(last);
    expect([place, await clickIn(last)]).toEqual([`/checkout/${checkout}`, `/checkout/${checkout}`]);
    expect(asked).toEqual([{ id, key }]);
  });

  it.each<[Required<PaymentRequestFound>['status'], AttemptState | undefined]>([
    ['pending', 'asking'],
    ['pending', 'sent'],
    ['pending', 'failed'],
    ['pending', 'unknown'],
    ['expired', 'sent'],
    ['canceled', 'asking'],
    ['processing', undefined],
  ])('leads back to a checkout that is %s with an attempt %s, and starts none', async (status, state) => {
    checkoutIn(status, state);
    const place = `/checkout/${checkout}${state ? `/${payment}` : ''}`;
    for (const isOpen of [true, false]) {
      link = isOpen ? sample : undefined;
      for (const reply of [await open(remembering), await click(`key=${txHash.slice(2, 38)}`)])
        expect([reply.statusCode, reply.headers.location]).toEqual([303, place]);
    }
    expect(asked).toEqual([]);
  });

  it('continues an unpaid checkout of the same amount, and starts a new one for another amount', async () => {
    link = { ...sample, openAmount: true, amount: '0', minAmount: '1' };
    checkoutIn('pending', undefined, { amount: '2500000' });
    expect((await open(remembering)).statusCode).toBe(200);
    expect((await click('key=x&amount=2.5')).headers.location).toBe(`/checkout/${checkout}`);
    expect(asked).toEqual([]);
    await click('key=x&amount=3');
    expect(asked).toEqual([{ id, key: checkout, amount: '3000000' }]);
  });

  it('shows that the link was paid, and starts a second payment only from a page that shows this', async () => {
    checkoutIn('completed');
    const { body } = await open(remembering);
    expect(body).toContain('This has been paid.');
    expect(body).toContain(`href="/checkout/${checkout}"`);
    expect(body).toContain('Pay again');
    expect((await click('key=5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31')).headers.location).toBe(
      `/checkout/${checkout}`,
    );
    expect(asked).toEqual([]);
    await click(`key=${keyOf(body)}`);
    expect(asked).toEqual([{ id, key: checkout }]);
    link = undefined;
    // The link has received its last payment.
    expect((await open(remembering)).headers.location).toBe(`/checkout/${checkout}`);
  });

  it.each(['expired', 'canceled'] as const)(
    'starts another checkout after a checkout that is %s',
    async (status) => {
      checkoutIn(status);
      known = [checkoutFixture(payment, 'pending')];
      started = () => startedAs(payment);
      const { headers } = await click(`key=${keyOf((await open(remembering)).body)}`);
      expect(headers.location).toBe(`/checkout/${payment}`);
      expect(asked).toEqual([{ id, key: checkout }]);
    },
  );

  it('ignores the checkout of another link, and malformed values', async () => {
    checkoutIn('processing', 'sent', { paylink_id: payment });
    expect((await open(remembering)).statusCode).toBe(200);
    for (const cookie of [
      'tollbridge_checkout=<b>',
      `${remembering.cookie}; tollbridge_checkout=${payment}`,
    ]) {
      const reply = await open({ cookie });
      expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([200, expect.any(String)]);
    }
  });
});

describe('a submitted transaction', () => {
  it('leads to the success URL when it counts, even if it was the last payment', async () => {
    const { statusCode, body } = await report();
    expect(statusCode).toBe(200);
    expect(asked).toEqual([{ id, txHash }]);
    expect(body).toContain('Thank you');
    expect(body).toContain('has confirmed the transaction');
    expect(body).toContain('href="https://shop.example/thanks?a=1&amp;b=2"');
    expect(body).not.toContain('<form');
  });

  it.each<[string, RecordPaymentReply, string[], boolean]>([
    [
      'is confirmed by the merchant',
      { success: true, verified: false },
      ['Thank you', 'The merchant has confirmed', 'Continue'],
      false,
    ],
    [
      'cannot be verified',
      { success: false, verified: false, status: 'unverifiable' },
      ['Submitted for review by the merchant', 'cannot be verified here'],
      false,
    ],
    [
      'is pending',
      { success: false, verified: false, status: 'pending' },
      ['Waiting for the network', 'as soon as the network confirms it'],
      true,
    ],
    [
      'pays nothing',
      { success: false, verified: false, error: 'It pays <nothing>.' },
      ['This transaction does not pay the link', 'It pays &lt;nothing&gt;.'],
      true,
    ],
    [
      'pays a part',
      { success: false, verified: false, status: 'partial', error: 'Pay the other 1 USDC.' },
      ['Paid, but not counted', 'Send the rest from the same address', 'Pay the other 1 USDC.'],
      true,
    ],
    [
      'exceeds the payments of the link',
      { success: false, verified: true, status: 'excess', error: 'Had all.' },
      ['Paid, but not counted', 'Had all.'],
      false,
    ],
  ])('shows the outcome of a transaction that %s', async (_title, reply, texts, canRepeat) => {
    recorded = reply;
    const { body } = await report();
    for (const text of [...texts, txHash]) expect(body).toContain(text);
    expect(body.includes(`value="${txHash}"`)).toBe(canRepeat);
    if (!reply.success) expect(body).not.toContain('Continue');
  });

  it('does not link to script URLs', async () => {
    link = { ...sample, successUrl: 'javascript:alert(1)' };
    expect((await report()).body).not.toContain('javascript:');
  });

  it.each([
    [
      DomainError.invalid([{ field: 'txHash', message: 'must be the hash of a transaction' }]),
      400,
      'must be the hash',
    ],
    [
      new DomainError('NOT_FOUND', 'The PayLink does not exist. Check its id.'),
      404,
      'The PayLink does not exist. Check its id.',
    ],
    [new DomainError('CONFLICT', 'This PayLink waits for 50.'), 409, 'waits for 50'],
  ])('shows a rejection as a page: %s', async (error, status, text) => {
    recorded = error;
    const reply = await report();
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(reply.body).toContain(text);
  });

  it('rejects repeated or unknown fields', async () => {
    expect((await report('txHash=1&txHash=2')).statusCode).toBe(400);
    expect((await report('id=other')).statusCode).toBe(400);
    expect(asked).toEqual([]);
  });
});

it.each([
  [sample, `ethereum:${usdc}@8453/transfer?address=${receiver}&uint256=3500000`],
  [{ ...sample, openAmount: true, amount: '0' }, `ethereum:${usdc}@8453/transfer?address=${receiver}`],
  [{ ...sample, tokenAddress: null }, `ethereum:${receiver}@8453?value=3500000`],
  [
    { ...sample, network: 'ton', receiveAddress: 'UQ', tokenAddress: 'EQ', reference: 'id' },
    'ton://transfer/UQ?amount=3500000&jetton=EQ&text=id',
  ],
  [{ ...sample, network: 'near' }, null],
])('walletUri builds the payment URI for wallets', (given, uri) => {
  expect(walletUri(given, findChain(given.network))).toBe(uri);
});
