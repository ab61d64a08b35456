import { rendererFixture } from '../../testing/renderer-fixture';
import { embedded, stateOfLink, stateOfPayment, stateOfRequest } from './embedding';
import { html } from '../parts/html';
import type { Page } from '../parts/layout';
import { aPaymentDetails } from '../testing/payment.builder';
import { cancelLink } from './return-link';
import { english } from '../texts/languages';

const { payment_request: request } = aPaymentDetails();
const page: Page = { title: 'Pay', body: html`<p>Pay</p>` };
const shops = ['https://shop.example', 'https://shop.example:8443'];
const state = stateOfRequest(request);

describe('embedded', () => {
  it('does not change a page without an origin', () => {
    expect(embedded(page, [], state)).toBe(page);
    expect(rendererFixture().policyOf(page)).toContain("frame-ancestors 'none'");
  });

  it('allows exactly the given origins, and adds the script to the page', () => {
    const policy = rendererFixture().policyOf(embedded(page, shops, state));
    expect(policy).toContain(`frame-ancestors ${shops.join(' ')}`);
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('*');
  });

  it("retains the page's own data for its script", () => {
    const { enhancement } = embedded({ ...page, enhancement: { kind: 'choice', id: 'r' } }, shops, state);
    expect(enhancement).toEqual({ kind: 'choice', id: 'r', embed: { origins: shops, state } });
  });

  it('omits x-frame-options only then, and keeps the reference to the window of the shop', async () => {
    const headers = async (given: Page) => {
      const set: Record<string, string | undefined> = { 'x-frame-options': 'DENY' };
      const reply: any = {
        status: () => reply,
        header: (name: string, value: string) => ((set[name] = value), reply),
        removeHeader: (name: string) => ((set[name] = undefined), reply),
        getHeader: (name: string) => set[name],
        request: { headers: {} },
        send: () => reply,
      };
      await rendererFixture().send(reply, 200, given);
      return [set['x-frame-options'], set['cross-origin-opener-policy']];
    };
    expect(await headers(page)).toEqual(['DENY', 'same-origin']);
    expect(await headers(embedded(page, shops, state))).toEqual([undefined, 'unsafe-none']);
  });
});

describe('the state of an embedded page', () => {
  it.each([
    ['pending', 'opened'],
    ['processing', 'submitted'],
    ['completed', 'completed'],
    ['expired', 'expired'],
    ['canceled', 'expired'],
  ] as const)('maps a request that is %s to %s', (status, type) => {
    expect(stateOfRequest({ ...request, status, payment_id: 'p' })).toEqual({
      type,
      payment_request_id: request.id,
      payment_id: 'p',
      amount: '12500000',
      currency: 'USDC',
      chain: 'eip155:8453',
    });
  });

  it.each([
    ['executing', null, 'opened'],
    ['executing', '0xabc', 'submitted'],
    ['completed', '0xabc', 'completed'],
    ['failed', '0xabc', 'failed'],
    ['expired', null, 'expired'],
  ] as const)('maps a payment that is %s by %s to %s', (status, pay_tx, type) => {
    const payment = { status, pay_tx, payment_id: 'p', payment_request: request } as never;
    expect(stateOfPayment(payment)).toMatchObject({ type, payment_id: 'p' });
  });

  it('omits the amount of a PayLink when the payer chooses it', () => {
    const link = { id: 'l', openAmount: true, amount: '0', token: 'USDC', network: 'eip155:8453' } as never;
    expect(stateOfLink(link, 'completed')).toEqual({
      type: 'completed',
      paylink_id: 'l',
      payment_id: null,
      amount: null,
      currency: 'USDC',
      chain: 'eip155:8453',
    });
  });
});

describe('cancelLink', () => {
  it('leads back to the shop', () => {
    const { text } = cancelLink('https://shop.example/cart?a=1&b=2', null, english) as { text: string };
    expect(text).toContain('data-return="canceled" href="https://shop.example/cart?a=1&amp;b=2"');
  });

  it.each([null, undefined, '', 'javascript:alert(1)', 'data:text/html,x', 'https://a:b@shop.example/'])(
    'returns false for %s',
    (url) => expect(cancelLink(url, 'Tea', english)).toBe(false),
  );
});
