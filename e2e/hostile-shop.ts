import { eventually } from '@tollbridge/testing';
import type { Wallet } from 'ethers';
import type { Page } from 'playwright-core';
import type { Api, Reply } from './http';
import type { Payer } from './payer';

const script = `"><img src=x onerror="ran()"><script>ran()</script><svg onload="ran()">`;
// A letter of another alphabet, and words that are written from right to left.
export const lookalike = 'p\u0430ypal \u05E9\u05DC\u05D5\u05DD';
// An override and an isolate without an end.
const controls = '\u202E\u2067';

/** A description that the API accepts: markup, right-to-left text, and a word longer than a line. */
const hostileText = `${lookalike} ${script} ${'W'.repeat(120)} \u05E9`;
/** The same for names and labels. */
const hostileName = `${lookalike} <img src=x onerror="ran()"> ${'W'.repeat(24)} \u05E9`;
/** Text for fields that payers and lists do not show, or show only without the control characters. */
const hostileData = `${controls}${hostileText}`;

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A shop that enters malicious text in every field that accepts it. */
export class HostileShop {
  constructor(
    private readonly api: Api,
    readonly account: Pick<Wallet, 'address'>,
  ) {}

  /** URLs that run code, and direction controls in visible fields, are rejected. */
  async expectRejections(): Promise<void> {
    const urls = ['javascript:ran()', 'data:text/html,<script>ran()</script>'];
    const shown = [
      this.ask({ description: hostileData }),
      this.link({ name: `${controls}Tea` }),
      this.link({ description: hostileData }),
    ];
    const replies = urls.flatMap((url) => [
      this.send('PUT', '/api/settings', { storeLogo: url }),
      this.send('PUT', '/api/settings', { embedOrigins: [url] }),
      this.send('PUT', '/api/settings', { storeColor: `red;background:url(${url})` }),
      this.ask({ success_url: url }),
      this.ask({ cancel_url: url }),
      this.link({ imageUrl: url }),
      this.link({ successUrl: url }),
    ]);
    const statuses = (await Promise.all([...replies, ...shown])).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 400));
    for (const url of [...urls, 'file:///etc/passwd', 'http://10.0.0.1/', 'http://169.254.169.254/'])
      await this.expectNoEndpoint(url);
  }

  /** An unusable webhook address is stored as text. No endpoint exists, so nothing requests it. */
  private async expectNoEndpoint(webhookUrl: string): Promise<void> {
    const { body } = await this.send('PUT', '/api/settings', { webhookUrl });
    expect(body).toMatchObject({ webhookUrl, warnings: [{ code: 'WEBHOOK_URL_UNUSABLE' }] });
    expect((await this.send('POST', '/api/webhooks/secret', {})).status).toBe(409);
  }

  /**
   * Stores hostile texts everywhere.
   * @returns the paths of its pages
   */
  async open(payer: Payer, gateway: string): Promise<{ choice: string; payment: string; link: string }> {
    const settings = {
      storeName: `${controls}${hostileName}`,
      storeLogo: onePixel,
      webhookUrl: 'javascript:ran()',
      [hostileData]: hostileData,
    };
    expect((await this.send('PUT', '/api/settings', settings)).status).toBe(200);
    const key = { label: hostileName, permissions: ['read'] };
    expect((await this.send('POST', '/api/keys', key)).status).toBe(200);
    const { body: link } = await this.link();
    const linkPayment = this.payLink(payer, link.id);
    const { body: open } = await this.ask();
    const { body: paid } = await this.ask();
    const payment = await this.pay(payer, gateway, paid.id);
    await linkPayment;
    return { choice: `/checkout/${open.id}`, payment, link: `/l/${link.id}` };
  }

  /** Transactions have the name of the link. */
  private async payLink(payer: Payer, id: string): Promise<void> {
    const txHash = await payer.transfer('USDC', this.account.address, 1_000_000n);
    const isVerified = async () => {
      const { body } = await this.api.post(`/api/paylinks/${id}/pay`, { txHash });
      expect(body).toMatchObject({ verified: true });
    };
    await eventually(isVerified, { everyMs: 500 });
  }

  private async pay(payer: Payer, gateway: string, id: string): Promise<string> {
    const option = { selected_option: { from_token: 'USDC', from_chain: 'base' } };
    const { body } = await this.api.post(`/api/v1/payment/${id}/execute`, option);
    const hash = await payer.pay(body.order);
    await payer.report(body.order.order_id, hash);
    const path = `/checkout/${id}/${body.payment_id}`;
    const isPaid = async () => expect((await fetch(`${gateway}${path}/receipt`)).status).toBe(200);
    await eventually(isPaid, { everyMs: 200 });
    return path;
  }

  private ask(changes: object = {}): Promise<Reply> {
    const request = {
      amount: '2500000',
      currency: 'USDC',
      chain: 'base',
      description: hostileText,
      metadata: { hostile: hostileData },
      success_url: `https://shop.example/?${encodeURIComponent(script)}`,
    };
    return this.send('POST', '/api/v1/merchant/payment-requests', { ...request, ...changes });
  }

  private link(changes: object = {}): Promise<Reply> {
    const link = {
      name: hostileName,
      description: hostileText,
      amount: '1000000',
      token: 'USDC',
      network: 'eip155:8453',
      receiveAddress: this.account.address,
      metadata: { hostile: hostileData },
    };
    return this.send('POST', '/api/paylinks', { ...link, ...changes });
  }

  private send(method: string, path: string, body: object): Promise<Reply> {
    return this.api.send(method, path, JSON.stringify(body), { 'x-wallet': this.account.address });
  }
}

/** A string, because it runs in the page. Finds displaced texts, links that run code, and horizontal scrolling. */
const search = `(() => {
  const foreign = /[\\u0590-\\u08FF\\u202A-\\u202E\\u2066-\\u2069]/;
  const faults = [];
  const boxesOf = (node) => {
    const range = document.createRange();
    return [...node.data].flatMap((char, at) => {
      if (!char.trim()) return [];
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      return box.width > 0 ? [box] : [];
    });
  };
  const blockOf = (node) => {
    let block = node.parentElement;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    return block;
  };
  const isSameLine = (one, other) => Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  let hostile = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const boxes = boxesOf(node);
    if (boxes.length > 0) texts.push({ node, boxes, isForeign: foreign.test(node.data), block: blockOf(node) });
  }
  for (const [at, { node, boxes, isForeign, block }] of texts.entries()) {
    if (isForeign) hostile += 1;
    const turned = (box, next) => next && isSameLine(box, next) && next.left < box.left - 1;
    if (!isForeign && boxes.some((box, char) => turned(box, boxes[char + 1]))) faults.push('turned: ' + node.data);
    const next = texts[at + 1];
    if (!next || next.block !== block || isForeign === next.isForeign) continue;
    const left = boxes.filter((box) => isSameLine(box, next.boxes[0]));
    const right = next.boxes.filter((box) => left[0] && isSameLine(box, left[0]));
    const isMoved = left.some((one) => right.some((other) => other.left < one.right - 1));
    if (isMoved) faults.push('moved: ' + node.data + ' | ' + next.node.data);
  }
  for (const link of document.links)
    if (/^(javascript|data|vbscript):/.test(link.href)) faults.push('link: ' + link.href);
  if (document.documentElement.scrollWidth > innerWidth) faults.push('scrolls to the side');
  return { faults, hostile };
})()`;

/** The effects of hostile texts on a page; `hostile` counts the visible ones. */
export const effectsOn = (page: Page): Promise<{ faults: string[]; hostile: number }> =>
  page.evaluate(search);
