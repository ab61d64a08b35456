import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBuyer } from '../buyer';
import { Grant } from '../grant';
import type { PaidRequest, Verdict } from '../paid-options';
import { Paywall, type PaywallOptions } from '../paywall';
import { MemoryEnclave } from '../testing';
import { acceptedInTests, FakeFacilitator } from '../testing/fake-facilitator';
import { buyer as signer, buyerAddress, deployment, readHeader, seller } from '../testing/samples';

const url = 'https://api.example.com/sold';

interface Required {
  accepts: { scheme: string; extra: { channel?: object } }[];
}

describe('channels beside official schemes', () => {
  let folder: string;
  let ledger: MemoryEnclave;
  let facilitator: FakeFacilitator;
  let paywalls: Paywall[];
  let decide: (request: Pick<PaidRequest, 'payment' | 'authorization'>) => Verdict | Promise<Verdict>;
  /** The payments that the buyer sent. */
  let sent: string[];
  /** True while the buyer's payments are not delivered. */
  let isCut: boolean;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'channels-'));
    facilitator = await FakeFacilitator.start();
    ledger = new MemoryEnclave({ deployment });
    ledger.deposit(buyerAddress, 1_000_000n);
    [paywalls, sent, isCut] = [[], [], false];
  });
  afterEach(async () => {
    for (const paywall of paywalls) await paywall.close();
    await facilitator.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(options: Partial<PaywallOptions> = {}): Promise<Paywall> {
    const paywall = new Paywall({
      baseUrl: 'https://api.example.com',
      to: seller,
      deployment,
      transport: ledger,
      accepts: acceptedInTests,
      facilitator: { url: facilitator.url },
      mpp: { secret: 'a secret of the tests, long enough' },
      channels: { folder },
      ...options,
    });
    paywalls.push(paywall);
    await paywall.ready();
    const route = paywall.route({ price: '$0.001' });
    decide = (request) => route.decide({ method: 'GET', url: '/sold', ...request });
    return paywall;
  }

  async function serve(_url: unknown, init?: RequestInit): Promise<Response> {
    const payment = new Headers(init?.headers).get('payment-signature') ?? undefined;
    if (payment) sent.push(payment);
    if (payment && isCut) throw new TypeError('fetch failed');
    const verdict = await decide({ payment });
    if (verdict.kind !== 'granted') return new Response(verdict.answer.body, verdict.answer as ResponseInit);
    const { grant } = verdict;
    if (!(grant instanceof Grant)) throw new Error('It is not a nano-payment.');
    grant.keep({ status: 200, headers: { ...grant.headers }, body: Buffer.from('sold') });
    return Response.json(grant.payment, { headers: grant.headers });
  }
  const makeBuyer = () =>
    createBuyer({
      signer,
      maxPerPayment: '1000',
      maxTotal: '100000',
      maxRepeats: 0,
      channels: { reserve: '50000' },
      fetch: serve as typeof fetch,
    });

  it('offers channels in the same 402, and charges the converted price', async () => {
    await start();
    const required = (await decide({ payment: undefined })) as Extract<Verdict, { answer: object }>;
    const { accepts } = readHeader<Required>(required.answer.headers['PAYMENT-REQUIRED']);
    expect(accepts.map(({ scheme, extra }) => [scheme, extra.channel !== undefined])).toEqual([
      ['ton-nanopay', true],
      ['ton-nanopay', true],
      ['exact', false],
      ['upto', false],
    ]);
    const buyer = makeBuyer();
    await buyer.fetch(url);
    const response = await buyer.fetch(url);
    expect(await response.json()).toMatchObject({
      scheme: 'ton-nanopay',
      network: 'tvm:-239',
      amount: '1000',
      channel: { index: 2 },
    });
    expect(sent.map((payment) => payment.startsWith('ch1.'))).toEqual([false, true]);
  });

  it('accepts links while the facilitator does not answer', async () => {
    const first = await start();
    const buyer = makeBuyer();
    await buyer.fetch(url);
    await first.close();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    facilitator.before = () => answered.then(() => undefined);
    await start();
    expect((await buyer.fetch(url)).status).toBe(200);
    expect(sent.at(-1)).toMatch(/^ch1\./);
    answer();
    const { answer: required } = (await decide({ payment: undefined })) as Extract<
      Verdict,
      { answer: object }
    >;
    // The next 402 has all official offers, although the quote for the link was made without them.
    expect(readHeader<Required>(required.headers['PAYMENT-REQUIRED']).accepts).toHaveLength(4);
  });

  it('rejects a link together with a credential of the scheme Payment, and leaves the link unused', async () => {
    await start();
    const buyer = makeBuyer();
    await buyer.fetch(url);
    isCut = true;
    await buyer.fetch(url).catch(() => undefined);
    const payment = sent.at(-1)!;
    expect(payment).toMatch(/^ch1\./);
    expect((await decide({ payment, authorization: 'Payment abc' })).kind).toBe('malformed');
    expect((await decide({ payment, authorization: 'Bearer abc' })).kind).toBe('granted');
  });

  it('rejects a channel on a route that accepts no nano-payments', async () => {
    await start();
    const buyer = makeBuyer();
    await buyer.fetch(url);
    await buyer.fetch(url);
    const paywall = new Paywall({
      baseUrl: 'https://api.example.com',
      gateway: facilitator.url,
      accepts: acceptedInTests,
    });
    paywalls.push(paywall);
    const route = paywall.route({ price: '$0.001' });
    const verdict = await route.decide({ method: 'GET', url: '/sold', payment: sent.at(-1) });
    expect(verdict).toMatchObject({ kind: 'payment_required', answer: { code: 'unsupported_scheme' } });
  });
});
