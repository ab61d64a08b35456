import { GatewayHarness } from '../testing/gateway-harness';

let harness: GatewayHarness;
/** The items of the service, newest first. A page has two of them unless the call sets a limit. */
let all: number;

beforeEach(async () => {
  harness = await GatewayHarness.open();
  all = 5;
  harness.answer = async ({ json }) => JSON.stringify(pageOf(json).map((id) => ({ id: `sample-${id}` })));
  harness.nextCursorOf = (json) => {
    const last = pageOf(json).at(-1);
    return last !== undefined && last < all ? String(last) : undefined;
  };
});

it('returns the limit that the service used for one page', async () => {
  harness.limitOf = (json) => Math.min(Number((JSON.parse(json) as { limit?: string }).limit ?? 2), 3);
  const limits = [];
  for (const query of ['?limit=3', '?limit=1000', ''])
    limits.push((await harness.send('GET', `/samples/all${query}`)).headers['x-limit']);
  expect(limits).toEqual(['3', '3', undefined]);
});
afterEach(() => harness.close());

function pageOf(json: string): number[] {
  const { limit = '2', cursor = '0' } = JSON.parse(json) as { limit?: string; cursor?: string };
  const left = Math.max(all - Number(cursor), 0);
  return Array.from({ length: Math.min(Number(limit), left) }, (_, at) => Number(cursor) + at + 1);
}

const idsOf = (body: string) => (JSON.parse(body) as { id: string }[]).map(({ id }) => Number(id.slice(7)));

describe('a whole list', () => {
  it.each([0, 1, 2, 3, 5])('joins the pages of %d items', async (count) => {
    all = count;
    const { body, headers } = await harness.send('GET', '/samples/all');
    expect(idsOf(body)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    expect(headers['link']).toBeUndefined();
  });

  it('returns one page with a Link to the next one when the client sends a limit', async () => {
    const { body, headers } = await harness.send('GET', '/samples/all?limit=3&view=a%20b');
    expect(idsOf(body)).toEqual([1, 2, 3]);
    expect(headers['link']).toBe('</samples/all?limit=3&view=a+b&cursor=3>; rel="next"');
    expect(harness.calls).toHaveLength(1);
  });

  it('preserves further question marks of the query', async () => {
    const { headers } = await harness.send('GET', '/samples/all?view=a?b&limit=3');
    expect(headers['link']).toBe('</samples/all?view=a%3Fb&limit=3&cursor=3>; rel="next"');
  });

  it('replaces the cursor in the Link, and has no Link on the last page', async () => {
    const second = await harness.send('GET', '/samples/all?limit=2&cursor=2');
    expect(second.headers['link']).toBe('</samples/all?limit=2&cursor=4>; rel="next"');
    const last = await harness.send('GET', '/samples/all?limit=2&cursor=4');
    expect([idsOf(last.body), last.headers['link']]).toEqual([[5], undefined]);
  });

  it('reads at most 20 pages', async () => {
    all = 1_000;
    const { body, headers } = await harness.send('GET', '/samples/all');
    expect([idsOf(body).length, harness.calls.length]).toEqual([40, 20]);
    expect(headers['link']).toBe('</samples/all?cursor=40>; rel="next"');
  });
});
