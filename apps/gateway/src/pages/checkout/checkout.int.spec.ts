import {
  internalPaymentsApi,
  internalStorefrontsApi,
  ordersApi,
  paymentsApi,
  type ExecutePaymentRequest,
  type PaymentStatusReply,
} from '@tollbridge/contracts';
import { DomainError, failureHeaders, failureOf } from '@tollbridge/rpc';
import { startNats, type NatsServer } from '@tollbridge/testing';
import { connect, type NatsConnection, type Subscription } from 'nats';
import { start, type RunningGateway } from '../..';
import { visibleText } from '../../testing/visible-text';
import { aPaymentDetails, aPayment, anOrder } from '../testing/payment.builder';

process.env['LOG_LEVEL'] = 'silent';

const requestId = '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31';
const paymentId = '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20';
const { executePayment, paymentStatus } = paymentsApi.operations;
const { paymentPage } = internalPaymentsApi.operations;
const { readStoreLogo } = internalStorefrontsApi.operations;
const logo = '/assets/logos/5f70bf18a086007016e948b04aed3b82';

let nats: NatsServer;
let service: NatsConnection;
let gateway: RunningGateway;
let executed: ExecutePaymentRequest[];
let payment: PaymentStatusReply;
let fail: (subject: string) => DomainError | undefined;

beforeAll(async () => {
  nats = await startNats();
  gateway = await start({
    TOLLBRIDGE_ENV: 'sandbox',
    GATEWAY_NATS_URL: nats.url,
    GATEWAY_REDIS_URL: process.env['TEST_REDIS_URL'],
    GATEWAY_REDIS_TIMEOUT_MS: '5000',
    SANDBOX_EXPOSED: 'on',
    GATEWAY_PUBLIC_URL: 'https://pay.example/',
    PORT: '0',
    GATEWAY_MANAGEMENT_PORT_NUMBER: '0',
  });
  service = await connect({ servers: nats.url });
  service.subscribe('op.merchant.>', {
    callback: (_error, message) => {
      const failure = fail(message.subject);
      if (failure)
        message.respond(JSON.stringify(failureOf(failure)), { headers: failureHeaders(failure.code) });
      else message.respond(JSON.stringify(answerTo(message.subject, JSON.parse(message.string()) as never)));
    },
  });
  await service.flush();
});
afterAll(async () => {
  await service?.close();
  await gateway?.close();
  await nats?.remove();
});
beforeEach(() => {
  executed = [];
  payment = aPayment();
  fail = () => undefined;
});

/** The reply of the fake merchant app. */
function answerTo(subject: string, input: ExecutePaymentRequest): unknown {
  switch (subject) {
    case paymentPage.subject:
      return aPaymentDetails({
        description: '<i>Two</i> "espressos"',
        store_logo: logo,
        store_color: '#ffdd00',
      });
    case readStoreLogo.subject:
      return { type: 'image/png', content: 'iVBORw0KGgo=' };
    case executePayment.subject:
      executed.push(input);
      return { payment_id: paymentId, order: { order_id: payment.order_id } };
    case paymentStatus.subject:
      return payment;
    default:
      return { id: input.id };
  }
}

const get = (path: string, init: RequestInit = {}) =>
  fetch(gateway.url + path, { redirect: 'manual', ...init });
const post = (path: string, fields: Record<string, string>) =>
  get(path, { method: 'POST', body: new URLSearchParams(fields) });

/** The request of a browser without scripts that submits the form of an option. */
function filled(
  page: string,
  token: string,
  typed: Record<string, string> = {},
): [string, Record<string, string>] {
  const form = page.split('<form').find((text) => text.includes(`data-token="${token}"`))!;
  const inputs = [...form.matchAll(/<input[^>]*\sname="(\w+)"(?:[^>]*\svalue="([^"]*)")?/g)];
  const fields = Object.fromEntries(inputs.map(([, name, value = '']) => [name, value]));
  return [/action="([^"]+)"/.exec(form)![1]!, { ...fields, ...typed }];
}

describe('the script of the page', () => {
  it('gets the page of the payment by the request that starts it, with the URL for a reload', async () => {
    const fields = { from_token: 'USDC', from_chain: 'eip155:8453' };
    const init = { method: 'POST', headers: { prefer: 'return=representation' } };
    const chosen = await get(`/checkout/${requestId}/pay?lang=de`, {
      ...init,
      body: new URLSearchParams(fields),
    });
    expect(chosen.status).toBe(200);
    expect(chosen.headers.get('preference-applied')).toBe('return=representation');
    const url = chosen.headers.get('content-location')!;
    expect(url).toBe(`/checkout/${requestId}/${paymentId}?lang=de`);
    expect(executed).toHaveLength(1);
    const title = (page: string) => /<title>(.*?)<\/title>/.exec(page)![1];
    expect(title(await chosen.text())).toBe(title(await (await get(url)).text()));
    fail = () => new DomainError('VALIDATION_ERROR', undefined, { details: [{ field: 'selected_option' }] });
    const wrong = await get(`/checkout/${requestId}/pay`, { ...init, body: new URLSearchParams(fields) });
    expect([wrong.status, wrong.headers.get('content-location')]).toEqual([400, null]);
  });
});

describe('a payer without scripts', () => {
  it('opens the link, chooses an option, gets the instructions and sees the outcome', async () => {
    const opened = await get(`/checkout/${requestId}`);
    const page = await opened.text();
    expect(opened.status).toBe(200);
    expect(opened.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page).toContain('&lt;i&gt;Two&lt;/i&gt; &quot;espressos&quot;');
    const [action, fields] = filled(page, 'USDC');
    const sent = await post(action, fields);
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/checkout/${requestId}/${paymentId}`]);
    expect(executed).toEqual([
      { id: requestId, selected_option: { from_token: 'USDC', from_chain: 'eip155:8453' } },
    ]);
    const waiting = await (await get(sent.headers.get('location')!)).text();
    expect(waiting).toContain('Waiting for your payment');
    expect(waiting).toContain('<noscript><meta http-equiv="refresh" content="5" /></noscript>');
    payment = aPayment({ status: 'completed', progress: 100, settle_tx: '0xdef' });
    const done = await (await get(sent.headers.get('location')!)).text();
    expect(done).toContain('Paid.');
    expect(done).toContain('https://shop.example/thanks');
    expect(done).not.toContain('http-equiv="refresh"');
  });

  it('sends a refund address', async () => {
    const page = await (await get(`/checkout/${requestId}`)).text();
    const [action, fields] = filled(page, 'BTC', {
      payer_address: ' 1BoatSLRHtKNngkdXEeobR76b53LETtpyT ',
    });
    expect((await post(action, fields)).status).toBe(303);
    expect(executed).toEqual([
      {
        id: requestId,
        selected_option: { from_token: 'BTC', from_chain: 'btc' },
        payer_address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
      },
    ]);
  });

  it('sees the error of the refund address on the same page', async () => {
    const details = [{ field: 'payer_address', message: 'the <checksum> is wrong' }];
    fail = (subject) =>
      subject === executePayment.subject ? new DomainError('VALIDATION_ERROR', 'x', { details }) : undefined;
    const reply = await post(`/checkout/${requestId}/pay`, {
      from_token: 'BTC',
      from_chain: 'btc',
      payer_address: 'x',
    });
    expect(reply.status).toBe(400);
    const page = await reply.text();
    expect(page).toContain('Your address cannot be used.');
    expect(page).toContain('<p lang="en" dir="ltr">the &lt;checksum&gt; is wrong</p>');
    expect(visibleText(page)).toContain('Pay with BTC on Bitcoin');
  });

  it('returns to the request when they reload the reply to a form', async () => {
    const reply = await get(`/checkout/${requestId}/pay`);
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `/checkout/${requestId}`]);
  });
});

describe('the language of the pages', () => {
  it('follows the browser, and a response header states it', async () => {
    const reply = await get(`/checkout/${requestId}`, { headers: { 'accept-language': 'ar-EG, en;q=0.8' } });
    expect(reply.headers.get('vary')).toContain('Accept-Language');
    expect(await reply.text()).toContain('<html lang="ar" dir="rtl">');
  });

  it('stays the same from the choice to the payment when the URL contains it', async () => {
    const [action, fields] = filled(await (await get(`/checkout/${requestId}?lang=de`)).text(), 'USDC');
    expect(action).toBe(`/checkout/${requestId}/pay?lang=de`);
    const location = (await post(action, fields)).headers.get('location')!;
    expect(location).toBe(`/checkout/${requestId}/${paymentId}?lang=de`);
    expect(await (await get(location)).text()).toContain('Wir warten auf Ihre Zahlung');
  });

  it('follows the request on a failure page', async () => {
    fail = () => new DomainError('NOT_FOUND');
    const page = await (await get(`/checkout/${requestId}?lang=fr`)).text();
    expect(page).toContain('Introuvable');
  });
});

describe('the enhancement of the page', () => {
  it('loads a script of this server that the policy allows, with data that contain no markup', async () => {
    const reply = await get(`/checkout/${requestId}`);
    const policy = reply.headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self'; connect-src 'self'; img-src 'self' data:");
    const page = await reply.text();
    const script = /<script\s[^>]*src="([^"]+)"\s+data-modules="([^"]+)"\s*><\/script>/.exec(page)!;
    for (const path of [script[1]!, ...script[2]!.split(' ')])
      expect((await get(path)).headers.get('content-type')).toContain('text/javascript');
    expect(page.match(/<script/g)).toHaveLength(1);
    const [, data] = /data-page="([^"]*)"/.exec(page)!;
    expect(data).not.toContain('<');
  });

  it('reads the amount and the receiver from the payment and ignores the URL', async () => {
    const path = `/checkout/${requestId}/${paymentId}`;
    const tampered = await get(`${path}?amount=1&to=0xbad&payer=evm:0xbad`);
    expect(await tampered.text()).toBe(await (await get(path)).text());
  });
});

describe('the brand of a shop', () => {
  it('shows the logo from this server, and the colour with a style sheet that has its hash in the policy', async () => {
    const reply = await get(`/checkout/${requestId}`);
    const page = await reply.text();
    expect(page).toContain(`<img class="logo" src="${logo}" alt="" />`);
    expect(page).toContain('--button:#ffdd00;--on-button:#000000');
    expect(reply.headers.get('content-security-policy')).toMatch(
      /style-src 'sha256-[^']+' 'sha256-[^']+'; .*img-src 'self' data:;/,
    );
  });

  it('serves a logo that browsers cache and never interpret as another type', async () => {
    const reply = await get(logo);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await reply.arrayBuffer()).toString('base64')).toBe('iVBORw0KGgo=');
  });

  it('returns 404 for a logo of an unknown hash', async () => {
    fail = () => new DomainError('NOT_FOUND');
    const reply = await get(logo);
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('the receipt', () => {
  const path = `/checkout/${requestId}/${paymentId}/receipt`;
  let orders: Subscription;
  let isDown: boolean;
  beforeAll(async () => {
    orders = service.subscribe(ordersApi.operations.getOrder.subject, {
      callback: (_error, message) => {
        const failure = failureOf(new DomainError('SERVICE_UNAVAILABLE'));
        const headers = failureHeaders('SERVICE_UNAVAILABLE');
        if (isDown) message.respond(JSON.stringify(failure), { headers });
        else message.respond(JSON.stringify(anOrder()));
      },
    });
    await service.flush();
  });
  afterAll(() => orders.unsubscribe());
  beforeEach(() => (isDown = false));

  it('returns 503 while the payment cannot be read', async () => {
    payment = aPayment({ status: 'completed', progress: 100, settle_tx: '0xdef' });
    isDown = true;
    for (const it of [path, `${path}.pdf`]) expect((await get(it)).status).toBe(503);
  });

  it('shows the payment after its completion', async () => {
    payment = aPayment({ status: 'completed', progress: 100, settle_tx: '0xdef' });
    const page = await (await get(path)).text();
    expect(page).toContain('Receipt number');
    expect(visibleText(page)).toMatch(/Paid with [\d.]+ USDC on Base/);
    expect(page).not.toContain('<script');
  });

  it('exists as a PDF too', async () => {
    payment = aPayment({ status: 'completed', progress: 100, settle_tx: '0xdef' });
    const reply = await get(`${path}.pdf`);
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(await reply.text()).toMatch(/^%PDF-1\.\d\n/);
  });

  it('does not exist before', async () => {
    for (const it of [path, `${path}.pdf`]) expect((await get(it)).status).toBe(409);
  });
});

describe('a failure page', () => {
  it.each([
    ['NOT_FOUND', 404],
    ['CONFLICT', 409],
    ['ROUTE_UNAVAILABLE', 422],
    ['UPSTREAM_UNAVAILABLE', 502],
    ['SERVICE_UNAVAILABLE', 503],
    ['OUTCOME_UNKNOWN', 504],
  ] as const)('shows the code %s as a page', async (code, status) => {
    fail = () => new DomainError(code, 'Why <so>?');
    for (const reply of [
      await get(`/checkout/${requestId}`),
      await get(`/checkout/${requestId}/${paymentId}`),
      await post(`/checkout/${requestId}/pay`, { from_token: 'USDC', from_chain: 'base' }),
    ]) {
      expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
      expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(await reply.text()).toContain('Why &lt;so&gt;?');
    }
  });

  it.each([
    ['SERVICE_UNAVAILABLE', 'unavailable'],
    ['UPSTREAM_UNAVAILABLE', 'unavailable'],
    ['NOT_FOUND', undefined],
  ] as const)(
    'contains for %s data of kind %s, so that the script checks for changes',
    async (code, kind) => {
      const kindIn = (page: string) => /data-page="\{&quot;kind&quot;:&quot;(\w+)/.exec(page)?.[1];
      fail = () => new DomainError(code);
      expect(kindIn(await (await get(`/checkout/${requestId}`)).text())).toBe(kind);
      const posted = await post(`/checkout/${requestId}/pay`, { from_token: 'USDC', from_chain: 'base' });
      expect(kindIn(await posted.text())).toBeUndefined();
    },
  );

  it('appears for a payment of another request', async () => {
    for (const path of [`/checkout/${paymentId}/${paymentId}`, `/checkout/${requestId}/${requestId}`])
      expect((await get(path)).status).toBe(404);
  });

  it('appears for an invalid form, without a call to a service', async () => {
    const path = `/checkout/${requestId}/pay`;
    expect((await post(path, { from_token: 'USDC', from_chain: 'base', amount: '1' })).status).toBe(400);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await get(path, json)).status).toBe(415);
    expect((await post(path, { from_token: 'x'.repeat(9_000) })).status).toBe(413);
    expect(executed).toEqual([]);
  });
});

describe('the QR code of a request', () => {
  it('returns a PNG that may be cached', async () => {
    const reply = await get(`/api/v1/payment/${requestId}/qr.png`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('image/png');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=86400, immutable');
    expect(
      Buffer.from(await reply.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });

  it('returns 404 for an unknown request', async () => {
    fail = () => new DomainError('NOT_FOUND');
    const reply = await get(`/api/v1/payment/${requestId}/qr.png`);
    expect([
      reply.status,
      ((await reply.json()) as { code: string }).code,
      reply.headers.get('cache-control'),
    ]).toEqual([404, 'NOT_FOUND', 'no-store']);
  });
});
