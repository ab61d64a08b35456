import { createClient, listGiftCards, listOrders, listPayLinks, listEmailMessages, type Client } from '.';
import { failure, json, TestServer } from './testing/test-server';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await TestServer.start();
  client = createClient({ baseUrl: server.url, wallet: '0x1' });
});
afterAll(() => server.close());

const page = (ids: string[], next_cursor: string | null) =>
  json({ orders: ids.map((order_id) => ({ order_id })), next_cursor });
const links = (ids: string[], next?: string) =>
  json(
    ids.map((id) => ({ id })),
    200,
    next === undefined ? {} : { link: `</api/paylinks?active=true&cursor=${next}>; rel="next"` },
  );
const queries = (): string[] => server.seen.map(({ url }) => url.split('?')[1] ?? '');

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a list', () => {
  it('resolves to one page when it is awaited, and requests it once', async () => {
    server.answer(page(['a', 'b'], 'next'));
    const call = listOrders(client, { payer: '0x1', limit: 2 });
    expect((await call).orders).toHaveLength(2);
    expect((await call).next_cursor).toBe('next');
    expect(queries()).toEqual(['payer=0x1&limit=2']);
  });

  it('requests nothing before it is used', async () => {
    server.answer(page([], null));
    void listOrders(client, { payer: '0x1' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.seen).toEqual([]);
  });

  it('follows next_cursor of the reply', async () => {
    server.answer(page(['a', 'b'], 'c/1'), page(['c'], 'c/2'), page([], 'c/3'), page(['d'], null));
    const orders = await all(listOrders(client, { payer: '0x1', limit: 2 }));
    expect(orders.map(({ order_id }) => order_id)).toEqual(['a', 'b', 'c', 'd']);
    const pages = ['', '&cursor=c%2F1', '&cursor=c%2F2', '&cursor=c%2F3'];
    expect(queries()).toEqual(pages.map((cursor) => `payer=0x1&limit=2${cursor}`));
  });

  it('follows the Link header if the reply is a list', async () => {
    server.answer(links(['a'], 'a%2Bb'), links(['b'], 'two'), links(['c']));
    expect((await all(listPayLinks(client, { active: true }))).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(queries()).toEqual(['active=true', 'active=true&cursor=a%2Bb', 'active=true&cursor=two']);
  });

  it('requests numbered pages until a page is not full', async () => {
    const products = (count: number) =>
      json(
        Array.from({ length: count }, (_, productId) => ({ productId })),
        200,
        { 'x-limit': '2' },
      );
    server.answer(products(2), products(2), products(1));
    expect(await all(listGiftCards(client, { country: 'US', size: 50 }))).toHaveLength(5);
    expect(queries()).toEqual([
      'country=US&size=50',
      'country=US&size=50&page=2',
      'country=US&size=50&page=3',
    ]);
  });

  it('requests numbered pages of unknown size until a page is empty', async () => {
    const mails = (...ids: string[]) =>
      json({ messages: ids.map((id) => ({ id })), count: ids.length, page: 1 });
    server.answer(mails('a', 'b'), mails('c'), mails());
    expect(await all(listEmailMessages(client, { token: 't', page: 3 }))).toHaveLength(3);
    expect(queries()).toEqual(['page=3', 'page=4', 'page=5']);
  });

  it('returns whole pages', async () => {
    server.answer(page(['a'], 'n'), page(['b'], null));
    const pages = await all(listOrders(client, { payer: '0x1' }).pages());
    expect(pages.map(({ orders }) => orders.length)).toEqual([1, 1]);
  });

  it('requests no further page after the loop is left', async () => {
    server.answer(page(['a', 'b'], 'n'));
    for await (const { order_id } of listOrders(client, { payer: '0x1' })) if (order_id === 'a') break;
    expect(server.seen).toHaveLength(1);
  });

  it('throws when the server repeats a cursor', async () => {
    server.answer(page(['a'], 'same'));
    await expect(all(listOrders(client, { payer: '0x1' }))).rejects.toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      operation: 'listOrders',
    });
    expect(server.seen).toHaveLength(2);
  });

  it('throws when a reply has no items', async () => {
    server.answer(json({ next_cursor: 'n' }));
    await expect(all(listOrders(client, { payer: '0x1' }))).rejects.toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
    });
  });

  it('throws the typed error of a page', async () => {
    server.answer(page(['a'], 'n'), failure(400, 'VALIDATION_ERROR'));
    await expect(all(listOrders(client, { payer: '0x1' }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    server.answer(failure(400, 'VALIDATION_ERROR'));
    const call = listOrders(client, { payer: '0x1' });
    expect(await call.catch(() => 'caught')).toBe('caught');
    await expect(call.finally(() => undefined)).rejects.toMatchObject({ status: 400 });
  });
});
