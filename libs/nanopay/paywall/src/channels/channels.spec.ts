import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  channelNoticeS,
  type ChannelToken,
  readChannelToken,
  channelToken,
} from '@tollbridge/nanopay-protocol';
import { eventually } from '@tollbridge/testing';
import { createBuyer, type BuyerOptions } from '../buyer';
import type { PaidOptions } from '../paid-options';
import { MemoryEnclave } from '../testing';
import { ChannelShop as Shop, shopPath as path, shopUrl as url } from '../testing/channel-shop';
import { buyer as wallet, buyerAddress, deployment, readHeader, seller } from '../testing/samples';

const funds = 1_000_000n;

interface Reply {
  success: boolean;
  errorReason?: string;
  transaction: string;
  extra: { channel: { id: string; index: number; refunded?: number } };
}

describe('channels', () => {
  let folder: string;
  let ledger: MemoryEnclave;
  let shops: Shop[];
  let nowMs: number;
  /** The payment headers that buyers sent. */
  let sent: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'channels-'));
    nowMs = Date.now();
    ledger = new MemoryEnclave({ deployment, clock: () => nowMs });
    ledger.deposit(buyerAddress, funds);
    [shops, sent] = [[], []];
  });
  afterEach(async () => {
    // Also close shops that a test has crashed, because they would retry their logs forever.
    await Promise.allSettled(shops.map(({ paywall }) => paywall.close()));
    await rm(folder, { recursive: true, force: true });
  });

  function shopOf(options: Partial<PaidOptions> = {}, channels: object = {}): Shop {
    const shop = new Shop(ledger, folder, options, channels, () => nowMs);
    shops.push(shop);
    return shop;
  }
  function buyerAt(shop: () => Shop, options: Partial<BuyerOptions> = {}) {
    const answer = (asked: unknown, init?: RequestInit): Promise<Response> => {
      const payment = new Headers(init?.headers).get('payment-signature') ?? undefined;
      if (payment) sent.push(payment);
      return shop().serve(payment, new URL(String(asked)).pathname);
    };
    return createBuyer({
      signer: wallet,
      maxPerPayment: '100000',
      maxTotal: '1000000',
      channels: { reserve: '100000' },
      fetch: answer as typeof fetch,
      maxRepeats: 0,
      clock: () => nowMs,
      ...options,
    });
  }
  const text = async (response: Promise<Response>): Promise<string> => (await response).text();
  const paymentOf = (response: Response): Reply =>
    readHeader<Reply>(response.headers.get('payment-response'));
  /** The last payment of the buyer as a token, even if it opened the channel. */
  const lastToken = (): string => sent.at(-1)!;
  const changed = (token: string, changes: Partial<ChannelToken>): string =>
    channelToken({ ...readChannelToken(token)!, ...changes });

  it('opens a channel with the first payment, and accepts links from then on', async () => {
    const shop = shopOf();
    const buyer = buyerAt(() => shop);
    for (const expected of ['sold 1', 'sold 2', 'sold 3'])
      expect(await text(buyer.fetch(url))).toBe(expected);
    expect(sent.map((header) => header.startsWith('ch1.'))).toEqual([false, true, true]);
    expect(ledger.balanceOf(buyerAddress)).toBe(funds - 100_000n);
    expect(ledger.balanceOf(seller)).toBe(0n);
    // The reservation counts while the channel is open.
    expect(buyer.spent()).toBe(100_000n);
    expect(buyer.channels()).toMatchObject([{ seller, reserved: '100000', spent: '3000' }]);
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(3_000n);
  });

  it('answers with the state of the channel', async () => {
    const shop = shopOf();
    const buyer = buyerAt(() => shop);
    await buyer.fetch(url);
    const reply = paymentOf(await buyer.fetch(url));
    const { id } = buyer.channels()[0]!;
    expect(reply).toMatchObject({
      success: true,
      transaction: `${id}-2`,
      amount: '1000',
      payer: buyerAddress,
    });
    expect(reply.extra.channel).toEqual({ id, index: 2, refunded: 0 });
  });

  it('settles a channel after a number of links, and after a time', async () => {
    const shop = shopOf({}, { settleAfterLinks: 5, settleEveryMs: 30 });
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 7; count++) await buyer.fetch(url);
    await eventually(() => expect(ledger.balanceOf(seller)).toBeGreaterThanOrEqual(4_000n));
    nowMs += 100;
    await eventually(() => expect(ledger.balanceOf(seller)).toBe(7_000n));
  });

  it('never accepts a repeated, earlier or forged link, or a link for another price', async () => {
    const shop = shopOf({ amount: ({ url: asked }) => (asked === path ? '1000' : '1500') });
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 3; count++) await buyer.fetch(url);
    const { served } = shop;
    const token = lastToken();
    const reasonOf = async (header: string, asked = path): Promise<string | undefined> => {
      const response = await shop.serve(header, asked);
      expect(response.status).toBe(402);
      return paymentOf(response).errorReason;
    };
    const { link } = readChannelToken(token)!;
    expect(await reasonOf(changed(token, { index: 2 }))).toBe('duplicate_settlement');
    expect(await reasonOf(sent[1]!)).toBe('duplicate_settlement');
    expect(await reasonOf(changed(token, { index: 4 }))).toBe('invalid_ton_nanopay_channel');
    expect(await reasonOf(changed(token, { index: 5 }))).toBe('invalid_ton_nanopay_amount_mismatch');
    expect(await reasonOf(changed(token, { id: 'ab'.repeat(16) }))).toBe('invalid_ton_nanopay_channel');
    expect(await reasonOf(changed(token, { index: 4, link }), '/other')).toBe(
      'invalid_ton_nanopay_amount_mismatch',
    );
    // The last link pays only for the resource of its first request.
    expect(await reasonOf(token, '/other')).toBe('invalid_ton_nanopay_amount_mismatch');
    expect((await shop.serve('ch1.!')).status).toBe(400);
    expect(shop.served).toBe(served);
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(3_000n);
  });

  it('answers a repeated last link with its response, and serves it once', async () => {
    const shop = shopOf();
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    let open = (): void => undefined;
    shop.gate = new Promise((resolve) => (open = resolve));
    const running = buyer.fetch(url);
    await eventually(() => expect(shop.served).toBe(3));
    const copy = await shop.serve(lastToken());
    expect([copy.status, copy.headers.get('retry-after')]).toEqual([503, '1']);
    open();
    expect(await text(running)).toBe('sold 3');
    const repeated = await shop.serve(lastToken());
    expect(await repeated.text()).toBe('sold 3');
    expect(paymentOf(repeated).extra.channel.index).toBe(3);
    // The payment that opened the channel is a duplicate too.
    expect(paymentOf(await shop.serve(sent[0]!)).errorReason).toBe('duplicate_settlement');
    expect(shop.served).toBe(3);
  });

  it('accepts one of many concurrent requests with the same link', async () => {
    const shop = shopOf();
    const copies: Response[] = [];
    const answer = async (_asked: unknown, init?: RequestInit): Promise<Response> => {
      const payment = new Headers(init?.headers).get('payment-signature') ?? undefined;
      if (!payment) return shop.serve();
      const all = await Promise.all(Array.from({ length: 20 }, () => shop.serve(payment)));
      copies.push(...all);
      return all.find(({ status }) => status === 200)!;
    };
    const buyer = buyerAt(() => shop, { fetch: answer as typeof fetch });
    for (const count of [1, 2, 3]) {
      expect((await buyer.fetch(url)).status).toBe(200);
      expect(shop.served).toBe(count);
    }
    expect(copies.filter(({ status }) => status === 503)).toHaveLength(57);
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(3_000n);
  });

  it('does not charge failed requests', async () => {
    const shop = shopOf();
    const buyer = buyerAt(() => shop);
    await buyer.fetch(url);
    shop.status = 500;
    const failed = await buyer.fetch(url);
    expect(failed.status).toBe(500);
    expect(paymentOf(failed)).toMatchObject({
      success: false,
      errorReason: 'refunded',
      extra: { refund: 'done', chargedAmount: '0', channel: { index: 2, refunded: 1 } },
    });
    expect(paymentOf(await shop.serve(lastToken())).errorReason).toBe('duplicate_settlement');
    shop.status = 200;
    await buyer.fetch(url);
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(2_000n);
  });

  it("accepts several links for one price, and one link of the seller's unit", async () => {
    const shop = shopOf({ amount: ({ url: asked }) => (asked === path ? '1000' : '2500') }, { unit: '500' });
    const buyer = buyerAt(() => shop);
    await buyer.fetch(url);
    expect(await text(buyer.fetch('https://api.example.com/other'))).toBe('sold 2');
    expect(readChannelToken(lastToken())!.index).toBe(7);
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(3_500n);
  });

  it('moves channels to the successor process without losing a link or accepting one twice', async () => {
    let shop = shopOf();
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 3; count++) await buyer.fetch(url);
    shop.status = 500;
    await buyer.fetch(url);
    const token = lastToken();
    await shop.paywall.close();
    shop = shopOf();
    expect(paymentOf(await shop.serve(changed(token, { index: 3 }))).errorReason).toBe(
      'duplicate_settlement',
    );
    expect(await text(buyer.fetch(url))).toBe('sold 1');
    expect(readChannelToken(lastToken())!.index).toBe(5);
    expect(buyer.channels()).toHaveLength(1);
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(4_000n);
  });

  it('serves the last link once more after a crash, and charges it once', async () => {
    const first = shopOf();
    let shop = first;
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    first.gate = new Promise(() => undefined);
    void buyer.fetch(url).catch(() => undefined);
    await eventually(() => expect(first.served).toBe(3));
    // The process ends without a settlement.
    await first.store.close();
    shop = shopOf();
    const token = lastToken();
    expect(paymentOf(await shop.serve(token, '/other')).errorReason).toBe('duplicate_settlement');
    const again = await Promise.all([shop.serve(token), shop.serve(token)]);
    expect(again.map(({ status }) => status).sort()).toEqual([200, 503]);
    expect(await (await shop.serve(token)).text()).toBe('sold 1');
    await shop.store.close();
    shop = shopOf();
    expect(paymentOf(await shop.serve(token)).errorReason).toBe('duplicate_settlement');
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(3_000n);
  });

  it('serves a channel in only one of several processes, and the other process opens its own channel', async () => {
    const [one, two] = [shopOf(), shopOf()];
    let shop = one;
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    const token = lastToken();
    shop = two;
    expect(paymentOf(await two.serve(token)).errorReason).toBe('invalid_ton_nanopay_channel');
    for (let count = 0; count < 2; count++) expect((await buyer.fetch(url)).status).toBe(200);
    await two.paywall.close();
    await one.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(4_000n);
  });

  it('opens a channel once when the opening is sent to two processes', async () => {
    const [one, two] = [shopOf(), shopOf()];
    let shop = one;
    const buyer = buyerAt(() => shop);
    await buyer.fetch(url);
    const opening = readHeader<{ payload: { authorization: { channel: { owner: string } } } }>(sent[0]!);
    const offer = readHeader<{ accepts: { extra: { channel: { owner: string } } }[] }>(
      (await two.serve()).headers.get('payment-required'),
    );
    const { owner } = offer.accepts[0]!.extra.channel;
    opening.payload.authorization.channel.owner = owner;
    const copy = Buffer.from(JSON.stringify(opening)).toString('base64');
    expect(paymentOf(await two.serve(copy)).errorReason).toBe('duplicate_settlement');
    expect(paymentOf(await two.serve(sent[0]!)).errorReason).toBe('invalid_ton_nanopay_channel');
    shop = two;
    expect(two.served).toBe(0);
  });

  it('serves no link while the log cannot be written, but keeps channels and accepts signatures', async () => {
    const shop = shopOf();
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    shop.store.fails = true;
    expect((await buyer.fetch(url)).status).toBe(503);
    expect((await buyerAt(() => shop).fetch(url)).status).toBe(200);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
    shop.store.fails = false;
    await eventually(async () => expect((await buyer.fetch(url)).status).toBe(200));
    expect(buyer.channels()).toMatchObject([{ spent: '3000' }]);
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(4_000n);
  });

  it('accepts no link after the end of a channel, and settles and releases it before the end', async () => {
    const shop = shopOf({}, { settleEveryMs: 20 });
    const buyer = buyerAt(() => shop, { channels: { reserve: '100000', validForS: 300 } });
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    nowMs += 250_000;
    await eventually(() => expect(ledger.balanceOf(buyerAddress)).toBe(funds - 2_000n));
    expect(ledger.balanceOf(seller)).toBe(2_000n);
    expect(paymentOf(await shop.serve(lastToken())).errorReason).toBe('invalid_ton_nanopay_channel');
  });

  it('settles and releases an unused channel', async () => {
    const shop = shopOf({}, { settleEveryMs: 20, closeIdleMs: 60_000 });
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    nowMs += 61_000;
    await eventually(() => expect(ledger.balanceOf(buyerAddress)).toBe(funds - 2_000n));
    // The buyer opens another channel. The link that it sent to the closed channel still counts as spent.
    expect((await buyer.fetch(url)).status).toBe(200);
    expect(buyer.spent()).toBe(103_000n);
  });

  it('accepts no link in the successor process while the last settlement of the channel may still arrive', async () => {
    const options = { settleEveryMs: 20, closeIdleMs: 60_000 };
    const [first, asked] = [shopOf({}, options), jest.fn()];
    let shop = first;
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    ledger.lose = (items) => {
      if (!items.some((item) => item.kind === 'settle' && item.isLast)) return undefined;
      asked();
      return 'message';
    };
    nowMs += 61_000;
    await eventually(() => expect(asked).toHaveBeenCalled());
    await first.store.close();
    const { id } = buyer.channels()[0]!;
    shop = shopOf();
    expect((await buyer.fetch(url)).status).toBe(200);
    expect(buyer.channels().map((channel) => channel.id)).not.toContain(id);
    ledger.lose = undefined;
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(3_000n);
  });

  it("detects the buyer's notice before it accepts more links", async () => {
    const shop = shopOf();
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    ledger.closeChannels(buyerAddress);
    nowMs += (channelNoticeS / 2 + 1) * 1_000;
    // A settlement confirms the channel first.
    expect((await buyer.fetch(url)).status).toBe(200);
    expect(ledger.balanceOf(seller)).toBe(2_000n);
    nowMs += (channelNoticeS / 2) * 1_000 - 30_000;
    expect(paymentOf(await shop.serve(changed(lastToken(), { index: 4 }))).errorReason).toBe(
      'invalid_ton_nanopay_channel',
    );
  });

  it('accepts no link while the ledger service cannot confirm the channel', async () => {
    const shop = shopOf();
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    nowMs += (channelNoticeS / 2 + 1) * 1_000;
    ledger.lose = () => 'message';
    expect((await buyer.fetch(url)).status).toBe(503);
    ledger.lose = undefined;
    expect((await buyer.fetch(url)).status).toBe(200);
    expect(shop.served).toBe(3);
  });

  it('rejects links until settlement when too many are unsettled', async () => {
    const shop = shopOf({}, { maxUnsettledLinks: 3, settleAfterLinks: 2 });
    const buyer = buyerAt(() => shop);
    ledger.lose = (items) => (items.some(({ kind }) => kind === 'settle') ? 'message' : undefined);
    for (let count = 0; count < 3; count++) await buyer.fetch(url);
    expect((await buyer.fetch(url)).status).toBe(503);
    ledger.lose = undefined;
    await eventually(async () => {
      nowMs += 10_000;
      expect((await shop.serve(lastToken())).status).toBe(200);
    });
  });

  it('offers no channel for bound bodies', async () => {
    const shop = shopOf({ bindBody: true });
    const required = (await shop.serve()).headers.get('payment-required');
    const { accepts } = readHeader<{ accepts: { extra: object }[] }>(required);
    expect(accepts[0]!.extra).not.toHaveProperty('channel');
  });

  it('opens no channel without sufficient funds, and accepts a signature', async () => {
    const shop = shopOf();
    ledger.deposit(buyerAddress, -950_000n);
    const buyer = buyerAt(() => shop);
    for (let count = 0; count < 2; count++) expect((await buyer.fetch(url)).status).toBe(200);
    expect(buyer.channels()).toEqual([]);
    expect(ledger.balanceOf(seller)).toBe(2_000n);
  });

  it('continues with the next link after the response to the last one was lost', async () => {
    const shop = shopOf();
    let loses = false;
    const answer = async (_asked: unknown, init?: RequestInit): Promise<Response> => {
      const payment = new Headers(init?.headers).get('payment-signature') ?? undefined;
      const response = await shop.serve(payment);
      if (loses) throw new TypeError('fetch failed');
      return response;
    };
    const buyer = buyerAt(() => shop, { fetch: answer as typeof fetch });
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    loses = true;
    await expect(buyer.fetch(url)).rejects.toThrow('fetch failed');
    loses = false;
    // A retry for the same resource returns the lost response.
    expect(await text(buyer.fetch(url))).toBe('sold 3');
    expect(await text(buyer.fetch(url))).toBe('sold 4');
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(4_000n);
  });

  it('opens only one channel when the response to the first payment was lost', async () => {
    const shop = shopOf();
    let loses = true;
    const answer = async (_asked: unknown, init?: RequestInit): Promise<Response> => {
      const payment = new Headers(init?.headers).get('payment-signature') ?? undefined;
      const response = await shop.serve(payment);
      if (!payment || !loses) return response;
      loses = false;
      throw new TypeError('fetch failed');
    };
    const buyer = buyerAt(() => shop, { fetch: answer as typeof fetch });
    await expect(buyer.fetch(url)).rejects.toThrow('fetch failed');
    // The first retry returns the lost response. The second request pays with the next link.
    for (const expected of ['sold 1', 'sold 2']) expect(await text(buyer.fetch(url))).toBe(expected);
    expect(ledger.balanceOf(buyerAddress)).toBe(funds - 100_000n);
  });

  it('reveals no second link for a request with an unknown outcome', async () => {
    const [one, two] = [shopOf(), shopOf()];
    let [shop, loses] = [one, false];
    const answer = async (_asked: unknown, init?: RequestInit): Promise<Response> => {
      const payment = new Headers(init?.headers).get('payment-signature') ?? undefined;
      if (payment) sent.push(payment);
      const response = await shop.serve(payment);
      if (!loses) return response;
      [shop, loses] = [two, false];
      throw new TypeError('fetch failed');
    };
    const buyer = buyerAt(() => shop, { fetch: answer as typeof fetch, maxRepeats: 1 });
    for (let count = 0; count < 2; count++) await buyer.fetch(url);
    loses = true;
    // The other process does not have the channel.
    const response = await buyer.fetch(url);
    expect(response.status).toBe(402);
    expect(paymentOf(response).errorReason).toBe('invalid_ton_nanopay_channel');
    expect(new Set(sent).size).toBe(3);
    expect((await buyer.fetch(url)).status).toBe(200);
  });

  it('opens several channels for concurrent requests, within the budget', async () => {
    const shop = shopOf();
    const buyer = buyerAt(() => shop, { maxTotal: '250000', channels: { reserve: '100000', maxOpen: 8 } });
    const replies = await Promise.all(Array.from({ length: 12 }, () => buyer.fetch(url)));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(buyer.channels()).toHaveLength(3);
    expect(buyer.spent()).toBe(250_000n);
    await shop.paywall.close();
    expect(ledger.balanceOf(seller)).toBe(12_000n);
  });
});
