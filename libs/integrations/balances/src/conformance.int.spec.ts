import { isDeepStrictEqual } from 'node:util';
import { findChain } from '@tollbridge/chains';
import { closedUrl, eventually, startHttpServer, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { Balances } from './balances';
import type { Holding } from './holding';
import { mutationsOf } from './testing/mutations';
import { answersOf, type ExpectedHoldings, recordings } from './testing/recording';

function asExpected(holdings: readonly Holding[]): ExpectedHoldings {
  return Object.fromEntries(
    holdings.map(({ token, amountAtomic, lockedAtomic }) => [
      token.symbol,
      { amount: String(amountAtomic), locked: String(lockedAtomic) },
    ]),
  );
}

// Time limit for reads that must not time out.
const patientMs = 60_000;

let servers: HttpServer[] = [];

async function serve(answer: (typeof HttpServer)['prototype']['answer']): Promise<HttpServer> {
  const server = await startHttpServer(answer);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
  jest.restoreAllMocks();
});

describe.each(recordings)(
  '$kind',
  ({ chain: name, kind, address, exchanges, expected, unfunded, ...recording }) => {
    const chain = findChain(name)!;
    const wallet = { chain, address };

    const open = (urls: string[], timeoutMs = patientMs) =>
      new Balances([{ chain: name, kind, urls }], timeoutMs);

    it('reads the recorded replies with the recorded requests', async () => {
      const server = await serve(answersOf(exchanges));
      const { found, skipped } = await open([server.url]).read([wallet]);
      expect(skipped).toEqual([]);
      expect(found).toHaveLength(1);
      expect(asExpected(found[0]!.holdings)).toEqual(expected);
      expect(server.requests).toHaveLength(exchanges.filter(({ isOptional }) => !isOptional).length);
    });

    it('reads an account that does not exist as empty', async () => {
      const server = await serve(answersOf(unfunded.exchanges));
      const { found, skipped } = await open([server.url]).read([wallet]);
      expect(skipped).toEqual([]);
      expect(asExpected(found[0]!.holdings)).toEqual(unfunded.expected);
    });

    it('rejects a reply with a missing or invalid field', async () => {
      const { mayDiffer = [], mayBeMissing = [] } = recording;
      // The chain id check of the EVM client has its own tests.
      const asked = exchanges.filter(({ request }) => request.body?.['method'] !== 'eth_chainId');
      let answer = answersOf(exchanges);
      const server = await serve((request) => answer(request));
      const wrong: string[] = [];
      for (const exchange of asked.filter(({ isOptional }) => !isOptional)) {
        for (const { field, name, became, value } of mutationsOf(exchange.reply)) {
          if (mayDiffer.includes(name)) continue;
          const mutated = exchanges.map((other) => (other === exchange ? { ...other, reply: value } : other));
          answer = answersOf(mutated);
          const { found } = await open([server.url]).read([wallet]);
          const isSame = found.length === 0 || isDeepStrictEqual(asExpected(found[0]!.holdings), expected);
          if (!isSame && !(became === 'missing' && mayBeMissing.includes(name)))
            wrong.push(`${field} became ${became}`);
        }
      }
      expect(wrong).toEqual([]);
    });

    describe.each<[string, HttpReply]>([
      ['HTTP 500', { status: 500, body: 'Internal Server Error' }],
      ['HTTP 403', { status: 403, body: { message: 'key required' } }],
      ['HTTP 404 of another server', { status: 404, body: '<html>Not Found</html>' }],
      ['HTTP 404 in JSON of another server', { status: 404, body: { message: 'no Route matched' } }],
      ['429', { status: 429, headers: { 'retry-after': '1' }, body: 'slow down' }],
      ['nothing', { body: '' }],
      ['an object of another protocol', { body: { unexpected: true } }],
      ['a text', { body: '"unexpected"' }],
      ['a list of another protocol', { body: [{ unexpected: true }] }],
      ['true', { body: 'true' }],
      ['a negative number', { body: '-5' }],
      ['no JSON', { body: '<html>maintenance</html>' }],
      ['a truncated reply', { half: '{"result":' }],
      ['an oversized reply', { body: `{"padding":"${'x'.repeat(5 * 1024 * 1024)}"}` }],
    ])('%s', (_failure, reply) => {
      it('skips the chain with a reason', async () => {
        const server = await serve(() => reply);
        const { found, skipped } = await open([server.url]).read([wallet]);
        expect(found).toEqual([]);
        expect(skipped).toEqual([{ ...wallet, reason: expect.stringMatching(/\S/) }]);
        expect(skipped[0]!.reason).not.toMatch(/unexpected reason/);
      });

      it('reads the second source', async () => {
        const first = await serve(() => reply);
        const second = await serve(answersOf(exchanges));
        const { found } = await open([first.url, second.url]).read([wallet]);
        expect(found.map(({ holdings }) => asExpected(holdings))).toEqual([expected]);
        expect(first.requests.length).toBeGreaterThan(0);
      });
    });

    it.each<[string, HttpReply]>([
      ['silence', { silent: true }],
      ['silence after the first bytes', { begun: '{' }],
    ])('ends a read with %s at the deadline', async (_name, reply) => {
      const server = await serve(() => reply);
      const { found, skipped } = await open([server.url], 100).read([wallet]);
      expect(found).toEqual([]);
      expect(skipped[0]!.reason).toMatch(/within \d+ ms/);
      await eventually(() => expect(server.abandoned).toBe(server.requests.length));
    });

    it('reads the second source when the first is down', async () => {
      const second = await serve(answersOf(exchanges));
      const { found } = await open([await closedUrl(), second.url]).read([wallet]);
      expect(found.map(({ holdings }) => asExpected(holdings))).toEqual([expected]);
    });

    it('pauses a source for its Retry-After', async () => {
      const server = await serve(() => ({ status: 429, headers: { 'retry-after': '30' } }));
      const balances = open([server.url]);
      await balances.read([wallet]);
      const asked = server.requests.length;
      await balances.read([wallet]);
      expect(server.requests).toHaveLength(asked);
      server.answer = answersOf(exchanges);
      const later = Date.now() + 31_000;
      jest.spyOn(Date, 'now').mockImplementation(() => later);
      const { found } = await balances.read([wallet]);
      expect(found).toHaveLength(1);
    });
  },
);

// All kinds run concurrently, because each waits for its first source. The second source has enough time for a slow
// machine.
it('reads the second source of every kind when the first times out', async () => {
  const reads = recordings.map(async ({ chain: name, kind, address, exchanges }) => {
    const first = await serve(() => ({ silent: true }));
    const second = await serve(answersOf(exchanges));
    const balances = new Balances([{ chain: name, kind, urls: [first.url, second.url] }], 10_000);
    const { found, skipped } = await balances.read([{ chain: findChain(name)!, address }]);
    return { kind, holdings: found.map(({ holdings }) => asExpected(holdings)), skipped };
  });
  expect(await Promise.all(reads)).toEqual(
    recordings.map(({ kind, expected }) => ({ kind, holdings: [expected], skipped: [] })),
  );
});
