import { FakeApi, type FakeReply } from '../testing/fake-api';
import { FakeTerminal } from '../testing/fake-terminal';
import { encodeHeader } from '../x402/offers';
import { anOffer } from '../x402/testing/offer.builder';

const accounts = [{ role: 'payer', address: '0x1', privateKey: `0x${'11'.repeat(32)}` }];

let reply: FakeReply;
let api: FakeApi;
beforeAll(async () => {
  api = await FakeApi.start(({ path }) =>
    path === '/sandbox' ? { body: { merchant: {}, accounts, chains: [] } } : reply,
  );
});
afterAll(() => api.close());

async function run(line: string) {
  const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url });
  const code = await terminal.run(line.replace('URL', `${api.url}/report`));
  return { code, out: terminal.stdout, note: terminal.stderr };
}

describe.each(['pay URL --yes', 'gate URL', 'gate --debug URL'])('%s', (line) => {
  it.each([
    [404, 'Check the address, and --method: GET was sent.'],
    [405, 'Check the address, and --method: GET was sent.'],
    [401, 'send none'],
    [422, '--method and --data change the request'],
    [503, 'Try again later.'],
  ])('fails for status %s, and prints the next step', async (status, advice) => {
    reply = { status, body: { why: 'so' } };
    const { code, note } = await run(line);
    expect([code, note]).toEqual([1, expect.stringContaining(advice)]);
    expect(note).not.toContain('asks for no payment');
  });

  it('succeeds for a URL that requires no payment', async () => {
    reply = { body: { free: true } };
    expect(await run(line)).toMatchObject({ code: 0 });
  });

  it.each([
    ['', 'GET', '', undefined],
    ['--method DELETE', 'DELETE', '', undefined],
    ['--data {"a":[1,"é"]}', 'POST', '{"a":[1,"é"]}', 'application/json'],
    ['--data 18446744073709551615 --method PUT', 'PUT', '18446744073709551615', 'application/json'],
  ])('sends with the flags %j the request %s %j', async (flags, method, body, contentType) => {
    reply = { body: {} };
    const { code } = await run(`${line} ${flags}`);
    expect([code, api.requests.at(-1)]).toEqual([0, expect.objectContaining({ method, body })]);
    expect(api.requests.at(-1)!.headers['content-type']).toBe(contentType);
  });

  it.each([
    ['--data {', '--data is not valid JSON.'],
    ['--data @/none', '--data: the file /none cannot be read.'],
    ['--data {} --method GET', 'GET has no body.'],
    ['--method post', '--method'],
  ])('rejects %j without a request', async (flags, message) => {
    const before = api.requests.length;
    const { code, note } = await run(`${line} ${flags}`);
    expect([code, note, api.requests.length]).toEqual([2, expect.stringContaining(message), before]);
  });
});

describe('pay', () => {
  it.each(['method POST', 'data {}', 'scheme exact', 'network solana'])(
    'rejects --%s for an order',
    async (flag) => {
      const { code, note } = await run(`pay 0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d --${flag}`);
      expect([code, note]).toEqual([2, expect.stringContaining('is for URLs that answer 402.')]);
    },
  );

  it('prints the reply of a URL that requires no payment, with --json as JSON', async () => {
    reply = { body: { free: true } };
    expect(await run('pay URL')).toMatchObject({
      out: '{"free":true}',
      note: expect.stringContaining('answers 200: it asks for no payment.'),
    });
    reply = { status: 404, body: 'no page' };
    const { out, note } = await run('pay URL --json');
    expect(JSON.parse(out)).toEqual({ status: 404, body: 'no page' });
    expect(JSON.parse(note)).toMatchObject({ error: expect.stringContaining('answers 404') });
  });

  it('prints why a seller could not be reached', async () => {
    const { code, note } = await run('pay http://127.0.0.1:1/ --yes');
    expect([code, note]).toEqual([4, expect.stringContaining('fetch blocks this port')]);
  });

  it.each([
    [
      '--network eip155:1',
      /None of the offers matches --network eip155:1\.\nOffered: exact on eip155:8453, /,
    ],
    ['--scheme ton-nanopay --network solana', /matches --scheme ton-nanopay and --network solana\.\n/],
    ['--network eip155:8453', /The sandbox cannot pay what is offered: exact on eip155:8453\.$/],
    ['', /The sandbox cannot pay what is offered: exact on eip155:8453, exact on eip155:10\.$/],
  ])('prints the offers when none can be paid with %j', async (filters, message) => {
    const accepts = [anOffer(), anOffer(), anOffer({ network: 'eip155:10' })];
    reply = { status: 402, headers: { 'payment-required': encodeHeader({ x402Version: 2, accepts }) } };
    const { code, note } = await run(`pay URL --yes ${filters}`);
    expect([code, note]).toEqual([1, expect.stringMatching(message)]);
  });
});
