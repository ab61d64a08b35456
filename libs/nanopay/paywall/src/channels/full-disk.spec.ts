import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  base64Json,
  channelToken,
  confirmationIdOf,
  hashed,
  type PaymentRequired,
} from '@tollbridge/nanopay-protocol';
import { eventually } from '@tollbridge/testing';
import { payableOf } from '../payable';
import { signOpening } from '../payer';
import { MemoryEnclave } from '../testing';
import { ChannelShop, shopPath } from '../testing/channel-shop';
import { buyer, buyerAddress, deployment, readHeader, seller } from '../testing/samples';

const price = 1_000n;
const length = 100;

interface Reply {
  errorReason?: string;
  transaction: string;
  extra: { refund?: string; channel: { index: number; refunded: number } };
}

/** The channel of a buyer that can send any link at any time. */
class Links {
  private readonly links: Buffer[];
  private id = '';
  private opening = '';

  constructor() {
    const links: Buffer[] = [Buffer.alloc(32, 7)];
    while (links.length <= length) links.push(hashed(links.at(-1)!, 1));
    this.links = links.reverse();
  }

  async sign(shop: ChannelShop): Promise<void> {
    const required = (await shop.serve()).headers.get('payment-required');
    const document = readHeader<PaymentRequired>(required);
    const accepted = document.accepts[0]!;
    const { owner } = accepted.extra.channel!;
    const nowMs = Date.now();
    const endS = BigInt(Math.floor(nowMs / 1_000) + 3_600);
    const [anchor, link] = this.links;
    const terms = { unitAtomic: price, length, anchor: anchor!, endS, index: 1, link: link!, owner };
    const reserved = {
      ...payableOf({ ...accepted, extra: { ...accepted.extra } }),
      amountAtomic: price * BigInt(length),
    };
    const { payload, digest } = await signOpening(buyer, reserved, terms, {
      nonce: Buffer.alloc(32, 9),
      nowMs,
    });
    this.opening = base64Json({ x402Version: 2, accepted, payload, resource: document.resource });
    this.id = confirmationIdOf(digest);
  }

  /** The payment header of this link. */
  at = (index: number): string =>
    index === 1 ? this.opening : channelToken({ id: this.id, index, link: this.links[index]! });
}

describe('channels on a full disk', () => {
  let folder: string;
  let ledger: MemoryEnclave;
  let shops: ChannelShop[];
  let links: Links;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'channels-'));
    ledger = new MemoryEnclave({ deployment });
    ledger.deposit(buyerAddress, 1_000_000n);
    [shops, links] = [[], new Links()];
  });
  afterEach(async () => {
    // Also close shops that a test has crashed, because they would retry their logs forever.
    await Promise.allSettled(shops.map(({ paywall }) => paywall.close()));
    await rm(folder, { recursive: true, force: true });
  });

  function shopOf({ startsFull = false } = {}): ChannelShop {
    const shop = new ChannelShop(ledger, folder, {}, { settleEveryMs: 60_000 }, Date.now, startsFull);
    shops.push(shop);
    return shop;
  }
  /** A shop with a channel and this number of served links. */
  async function shopWith(served: number): Promise<ChannelShop> {
    const shop = shopOf();
    await links.sign(shop);
    for (let index = 1; index <= served; index++)
      expect((await shop.serve(links.at(index))).status).toBe(200);
    return shop;
  }
  const statusOf = async (shop: ChannelShop, index: number): Promise<number> =>
    (await shop.serve(links.at(index))).status;
  const replyOf = async (response: Promise<Response>): Promise<Reply> =>
    readHeader<Reply>((await response).headers.get('payment-response'));
  const offersChannels = async (shop: ChannelShop): Promise<boolean> => {
    const required = (await shop.serve()).headers.get('payment-required');
    return 'channel' in readHeader<PaymentRequired>(required).accepts[0]!.extra;
  };
  async function recovered(shop: ChannelShop): Promise<void> {
    shop.store.fails = false;
    await eventually(async () => expect(await offersChannels(shop)).toBe(true));
  }
  async function chargedAfterClose({ paywall }: ChannelShop): Promise<bigint> {
    await paywall.close();
    return ledger.balanceOf(seller) / price;
  }

  it('returns 503 until the log can be written, then serves the same link once', async () => {
    const shop = await shopWith(2);
    shop.store.fails = true;
    const unserved = await shop.serve(links.at(3));
    expect([unserved.status, unserved.headers.get('retry-after')]).toEqual([503, '1']);
    // These replies need no write: the failed link again, the previous link, and a link after a gap.
    expect(await (await shop.serve(links.at(3))).json()).toMatchObject({ code: 'payments_unavailable' });
    expect((await replyOf(shop.serve(links.at(2)))).errorReason).toBe('duplicate_settlement');
    expect(await statusOf(shop, 4)).toBe(503);
    expect(await offersChannels(shop)).toBe(false);
    expect([shop.served, shop.failures.length]).toEqual([2, 1]);
    await recovered(shop);
    const copies = await Promise.all([1, 2, 3].map(() => statusOf(shop, 3)));
    expect(copies.sort()).toEqual([200, 503, 503]);
    expect(await (await shop.serve(links.at(3))).text()).toBe('sold 3');
    expect(await statusOf(shop, 4)).toBe(200);
    expect([shop.served, shop.failures.length]).toEqual([4, 1]);
    expect(await chargedAfterClose(shop)).toBe(4n);
  });

  it('does not charge links that were neither served nor retried', async () => {
    const shop = await shopWith(1);
    shop.store.fails = true;
    // A buyer must not send these concurrently. Both are in the failed batch.
    expect(await Promise.all([statusOf(shop, 2), statusOf(shop, 3)])).toEqual([503, 503]);
    await recovered(shop);
    expect((await replyOf(shop.serve(links.at(2)))).errorReason).toBe('duplicate_settlement');
    // The last link cannot pay for another path. The buyer continues with the next link.
    expect((await replyOf(shop.serve(links.at(3), `${shopPath}/other`))).errorReason).toBe(
      'duplicate_settlement',
    );
    expect((await replyOf(shop.serve(links.at(4)))).extra.channel).toMatchObject({ index: 4, refunded: 2 });
    expect((await replyOf(shop.serve(links.at(3)))).errorReason).toBe('duplicate_settlement');
    expect(await chargedAfterClose(shop)).toBe(2n);
  });

  it('opens the same channel when the record of its first link failed', async () => {
    const shop = await shopWith(0);
    shop.store.fails = true;
    expect(await statusOf(shop, 1)).toBe(503);
    expect(await statusOf(shop, 1)).toBe(503);
    expect(shop.served).toBe(0);
    await recovered(shop);
    expect(await Promise.all([statusOf(shop, 1), statusOf(shop, 1)])).toEqual([200, 503]);
    expect(await chargedAfterClose(shop)).toBe(1n);
  });

  it('keeps refunds that were made while the log could not be written', async () => {
    let shop = await shopWith(1);
    let open = (): void => undefined;
    shop.gate = new Promise((resolve) => (open = resolve));
    shop.status = 500;
    const failing = replyOf(shop.serve(links.at(2)));
    await eventually(() => expect(shop.served).toBe(2));
    shop.store.fails = true;
    expect(await statusOf(shop, 3)).toBe(503);
    open();
    expect((await failing).extra).toMatchObject({ refund: 'pending', channel: { refunded: 1 } });
    await recovered(shop);
    // The process ends without a settlement.
    await shop.store.close();
    shop = shopOf();
    expect((await replyOf(shop.serve(links.at(3)))).extra.channel).toEqual(
      expect.objectContaining({ index: 3, refunded: 1 }),
    );
    expect(await chargedAfterClose(shop)).toBe(2n);
  });

  it('serves the last link once more after a crash, even if writing its record fails at first', async () => {
    let shop = await shopWith(2);
    await shop.store.close();
    shop = shopOf();
    await shop.paywall.ready();
    shop.store.fails = true;
    expect(await statusOf(shop, 2)).toBe(503);
    await recovered(shop);
    expect(await statusOf(shop, 2)).toBe(200);
    await shop.store.close();
    shop = shopOf();
    expect((await replyOf(shop.serve(links.at(2)))).errorReason).toBe('duplicate_settlement');
    expect(await chargedAfterClose(shop)).toBe(2n);
  });

  it('starts without a log, and takes over the channels when there is space', async () => {
    const first = await shopWith(2);
    await first.paywall.close();
    const shop = shopOf({ startsFull: true });
    expect(await statusOf(shop, 3)).toBe(503);
    expect([shop.served, shop.failures.length, await offersChannels(shop)]).toEqual([0, 1, false]);
    await recovered(shop);
    expect(await statusOf(shop, 3)).toBe(200);
    expect(await chargedAfterClose(shop)).toBe(3n);
  });

  it('serves each link once and charges the served links, however often the disk is full', async () => {
    const shop = await shopWith(1);
    const served = new Map([[1, 1]]);
    const present = async (index: number): Promise<number> => {
      const before = shop.served;
      const response = await shop.serve(links.at(index));
      if (response.status === 200 && shop.served > before) served.set(index, (served.get(index) ?? 0) + 1);
      return response.status;
    };
    let random = 12_345;
    const below = (count: number): number => (random = (random * 48_271) % 2_147_483_647) % count;
    for (let index = 2; index < 16;) {
      shop.store.fails = below(3) > 0;
      const count = 1 + below(2);
      await Promise.all(Array.from({ length: count }, (_, more) => present(index + more)));
      if (shop.store.fails || below(2) === 0) await recovered(shop);
      // The buyer retries the links without a reply, and one link that was served before.
      for (let again = index + count - 1; again >= index - 1; again--) await present(again);
      index += count;
    }
    expect([...served.values()].every((times) => times === 1)).toBe(true);
    expect(await chargedAfterClose(shop)).toBe(BigInt(served.size));
    expect(served.size).toBeGreaterThan(10);
  });
});
