import { eventually, openTcpLink, startRedis, type TcpLink } from './testing/servers';
import { SharedCache } from './shared-cache';

const opened: SharedCache[] = [];
let errors: Error[];

function open(url: string): SharedCache {
  const cache = new SharedCache(url, (error) => errors.push(error));
  opened.push(cache);
  return cache;
}

beforeEach(() => {
  errors = [];
});
afterEach(() => {
  for (const cache of opened.splice(0)) cache.close();
});

const runUrl = () => process.env['TEST_REDIS_URL']!;
const untilServed = (cache: SharedCache, key: string) =>
  eventually(async () => {
    await cache.set(key, 'there');
    expect(await cache.get(key)).toBe('there');
  });

describe('SharedCache', () => {
  it('returns a value that another process has stored', async () => {
    const [one, other] = [open(runUrl()), open(runUrl())];
    await untilServed(one, 'shared');
    await one.set('shared', 'Žluťoučký 馬 😀');
    await eventually(async () => expect(await other.get('shared')).toBe('Žluťoučký 馬 😀'));
    await expect(other.get('never put')).resolves.toBeUndefined();
    await one.set('empty', '');
    await expect(one.get('empty')).resolves.toBe('');
    expect(errors).toEqual([]);
  });

  it('stores and returns nothing without a URL', async () => {
    const none = open('');
    await expect(none.set('key', 'value')).resolves.toBeUndefined();
    await expect(none.get('key')).resolves.toBeUndefined();
    none.close();
    expect(errors).toEqual([]);
  });

  describe('with an unreachable server', () => {
    let link: TcpLink;
    beforeEach(async () => {
      link = await openTcpLink(runUrl());
    });
    afterEach(() => link.close());

    it('returns undefined without an error at the start, and uses the server once it is reachable', async () => {
      await link.cut();
      const cache = open(link.url);
      await expect(cache.get('key')).resolves.toBeUndefined();
      await expect(cache.set('key', 'value')).resolves.toBeUndefined();
      await eventually(() => expect(errors.length).toBeGreaterThan(0));
      await link.mend();
      await untilServed(cache, 'late');
    });

    it('returns undefined without an error after an outage, and uses the server again afterwards', async () => {
      const cache = open(link.url);
      await untilServed(cache, 'middle');
      await link.cut();
      await eventually(async () => expect(await cache.get('middle')).toBeUndefined());
      await expect(cache.set('middle', 'lost')).resolves.toBeUndefined();
      await link.mend();
      await eventually(async () => expect(await cache.get('middle')).toBe('there'));
    });
  });

  it('does not wait for a server that hangs, and uses it again when it recovers', async () => {
    const server = await startRedis();
    try {
      const cache = open(server.url);
      await untilServed(cache, 'slow');
      server.hang();
      await eventually(async () => expect(await cache.get('slow')).toBeUndefined());
      const startMs = performance.now();
      await Promise.all([cache.get('slow'), cache.set('slow', 'x')]);
      expect(performance.now() - startMs).toBeLessThan(10_000);
      server.goOn();
      await eventually(async () => expect(await cache.get('slow')).toBeDefined());
    } finally {
      await server.remove();
    }
  });

  it.each([
    ['is connected', true],
    ['is unreachable', false],
  ])('leaves no connection open when it is closed while the server %s', async (_case, isReachable) => {
    const link = await openTcpLink(runUrl());
    if (!isReachable) await link.cut();
    const before = openHandles();
    const cache = open(link.url);
    if (isReachable) await untilServed(cache, 'closing');
    else await eventually(() => expect(errors.length).toBeGreaterThan(0));
    cache.close();
    cache.close();
    await expect(cache.get('closing')).resolves.toBeUndefined();
    await expect(cache.set('closing', 'x')).resolves.toBeUndefined();
    await link.cut();
    await eventually(() => expect(openHandles()).toBeLessThanOrEqual(before));
  });
});

/** Number of open TCP connections. */
function openHandles(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP')).length;
}
