import { inspect } from 'node:util';
import { base64Json, dialogDigest, flags, hashed } from '@tollbridge/nanopay-protocol';
import { aRejectedOutcome } from '@tollbridge/nanopay-protocol/testing';
import { createBuyer } from './buyer';
import type { Grant } from './grant';
import { createHashChain, type HashChainGrant, type HashChainOptions } from './hash-chain';
import type { PaidOptions } from './paid-options';
import { hashChainSigner } from './payment-signer';
import {
  buyer as wallet,
  buyerAddress,
  deployment,
  readHeader,
  sampleHarness,
  seller,
} from './testing/samples';
import { TonNanopayClient } from './x402';

const url = 'https://api.example.com/premium-data';
const limits = { maxPerPayment: '100000', maxTotal: '100000' };

const chainOf = (changes: Partial<HashChainOptions> = {}) =>
  createHashChain(wallet, {
    verifyingContract: deployment.verifyingContract,
    to: seller,
    unit: '500',
    length: 10,
    validForS: 3_600,
    ...changes,
  });

/** A shop with the price 1000, and a buyer with a chain. */
async function shop(changes: Partial<HashChainOptions> = {}, options: Partial<PaidOptions> = {}) {
  const { ledger, paywall } = sampleHarness();
  const prices = { now: '1000' };
  const route = paywall.route({ amount: () => prices.now, ...options });
  const headers: string[] = [];
  const served = { fails: false };
  const answer = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const payment = new Headers(init?.headers).get('payment-signature') ?? undefined;
    if (payment) headers.push(payment);
    const verdict = await route.decide({ method: 'GET', url: '/premium-data', payment });
    if (verdict.kind !== 'granted') return new Response(null, verdict.answer as ResponseInit);
    const grant = verdict.grant as Grant;
    const paymentHeaders = served.fails ? await grant.refund() : grant.headers;
    const status = served.fails ? 500 : 200;
    if (!served.fails) grant.keep({ status, headers: {}, body: Buffer.from('sold') });
    return new Response('sold', { status, headers: paymentHeaders as Record<string, string> });
  };
  const buyWith = (grant: HashChainGrant) => {
    const signer = hashChainSigner(grant);
    return { signer, ...createBuyer({ signer, ...limits, fetch: answer as typeof fetch, maxRepeats: 0 }) };
  };
  return { ledger, headers, served, prices, route, buyWith, ...buyWith(await chainOf(changes)) };
}

describe('createBuyer with a hash chain', () => {
  it('pays with two links per payment until the chain is exhausted', async () => {
    const { ledger, headers, fetch, signer } = await shop();
    for (let count = 0; count < 5; count++) expect((await fetch(url)).status).toBe(200);
    await expect(fetch(url)).rejects.toThrow('used up');
    expect(ledger.balanceOf(seller)).toBe(5_000n);
    expect(signer.chain.state.used).toBe(10);
    const { payload } = readHeader<{ payload: { authorization: object } }>(headers[1]);
    expect(payload.authorization).toMatchObject({
      from: buyerAddress,
      flags: flags.hashChain,
      chain: { unit: '500', length: '10', index: '4' },
    });
    expect(Buffer.from(headers[1]!, 'base64').toString()).not.toContain(signer.chain.state.secret);
  });

  it('sends the payments of concurrent requests one after the other', async () => {
    const { ledger, fetch } = await shop();
    const all = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(ledger.balanceOf(seller)).toBe(5_000n);
  });

  it('continues from its stored JSON state', async () => {
    const { ledger, fetch, signer, buyWith } = await shop();
    await fetch(url);
    const again = buyWith(JSON.parse(JSON.stringify(signer.chain.state)) as HashChainGrant);
    expect((await again.fetch(url)).status).toBe(200);
    expect(ledger.balanceOf(seller)).toBe(2_000n);
  });

  it('continues after a payment with an unknown outcome', async () => {
    const { ledger, fetch, signer } = await shop();
    let lost = 0;
    ledger.lose = () => (lost++ < 4 ? 'reply' : undefined);
    expect((await fetch(url)).status).toBe(503);
    expect(signer.chain.state.used).toBe(0);
    ledger.lose = undefined;
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url)).status).toBe(200);
  });

  it.each([
    ['charged', 'reply'],
    ['not charged', 'message'],
  ] as const)(
    'continues at other prices after payments with an unknown outcome that were %s',
    async (_, loss) => {
      const { ledger, fetch, prices, signer } = await shop({ length: 60 });
      for (const [lost, next] of [
        ['1500', '1000'],
        ['1000', '1500'],
        ['500', '5000'],
      ] as const) {
        ledger.lose = () => loss;
        prices.now = lost;
        expect((await fetch(url)).status).toBe(503);
        ledger.lose = undefined;
        prices.now = next;
        const before = ledger.balanceOf(seller);
        expect((await fetch(url)).status).toBe(200);
        expect(ledger.balanceOf(seller) - before).toBe(BigInt(next));
      }
      expect(signer.chain.state.unknown).toEqual([]);
    },
  );

  it('continues from JSON after several payments with an unknown outcome', async () => {
    const { ledger, fetch, prices, signer, buyWith } = await shop({ length: 60 });
    ledger.lose = () => 'reply';
    for (const price of ['1000', '1500']) {
      prices.now = price;
      expect((await fetch(url)).status).toBe(503);
    }
    ledger.lose = undefined;
    const again = buyWith(JSON.parse(JSON.stringify(signer.chain.state)) as HashChainGrant);
    prices.now = '5000';
    expect((await again.fetch(url)).status).toBe(200);
    expect(ledger.balanceOf(seller)).toBe(6_000n);
  });

  it('counts every revealed link as spent when a seller rejects every payment', async () => {
    const { ledger, fetch, spent, headers } = await shop({ length: 60 });
    ledger.instead = () => aRejectedOutcome({ reason: 'duplicate_settlement' });
    for (let times = 0; times < 3; times++) expect((await fetch(url)).status).toBe(402);
    const { payload } = readHeader<{ payload: { authorization: { chain: { index: string } } } }>(
      headers.at(-1)!,
    );
    expect(BigInt(payload.authorization.chain.index) * 500n).toBeLessThanOrEqual(spent());
  });

  it('reuses the link of a rejected payment, but not that of a refunded one', async () => {
    const { ledger, fetch, signer, served, prices } = await shop();
    ledger.instead = () => aRejectedOutcome();
    expect((await fetch(url)).status).toBe(402);
    expect(signer.chain.state.used).toBe(0);
    ledger.instead = undefined;
    served.fails = true;
    expect((await fetch(url)).status).toBe(500);
    expect(ledger.balanceOf(seller)).toBe(0n);
    served.fails = false;
    prices.now = '1500';
    expect((await fetch(url)).status).toBe(200);
    expect(ledger.balanceOf(seller)).toBe(1_500n);
  });

  it('replays a response only for a payment with the same link', async () => {
    const { fetch, headers, route } = await shop();
    expect((await fetch(url)).status).toBe(200);
    const paid = readHeader<{ payload: { authorization: { chain: { link: string } } } }>(headers[0]);
    const kindOf = async () =>
      (await route.decide({ method: 'GET', url: '/premium-data', payment: base64Json(paid) })).kind;
    expect(await kindOf()).toBe('repeated');
    paid.payload.authorization.chain.link = 'ab'.repeat(32);
    expect(await kindOf()).toBe('conflict');
  });

  it.each<[string, Partial<HashChainOptions>, Partial<PaidOptions>, string]>([
    ['another seller', { to: `0:${'99'.repeat(32)}` }, {}, 'another seller'],
    ['another deployment', { verifyingContract: `0:${'98'.repeat(32)}` }, {}, 'another deployment'],
    ['another asset', { asset: `0:${'97'.repeat(32)}` }, {}, 'another asset'],
    ['a price that is not a multiple of the unit', { unit: '300' }, {}, 'times its unit'],
    ['a price of too many links', { unit: '1', length: 5_000 }, {}, 'times its unit'],
    ['an expired chain', { nowMs: Date.now() - 4_000_000 }, {}, 'over'],
    ['a bound body', {}, { bindBody: true }, 'binds bodies'],
  ])('reveals no link for %s', async (_, changes, options, message) => {
    const { fetch, headers } = await shop(changes, options);
    await expect(fetch(url)).rejects.toThrow(message);
    expect(headers).toEqual([]);
  });

  it('rejects the official client, which reports no outcomes', async () => {
    const signer = hashChainSigner(await chainOf());
    expect(() => new TonNanopayClient({ signer })).toThrow(TypeError);
  });
});

describe('createHashChain', () => {
  it('includes domain and timestamp of a wallet dialog', async () => {
    const dialog = { domain: 'pay.example.com', timestampS: Math.floor(Date.now() / 1_000) };
    const inDialog = {
      publicKey: wallet.publicKey,
      sign: (digest: Uint8Array) => ({
        signature: wallet.sign(dialogDigest(buyerAddress, dialog, digest)) as Uint8Array,
        domain: dialog.domain,
        timestamp: dialog.timestampS,
      }),
    };
    const options = { verifyingContract: deployment.verifyingContract, to: seller, validForS: 3_600 };
    const grant = await createHashChain(inDialog, { ...options, unit: 1_000n, length: 3 });
    expect(hashChainSigner(grant).chain.signature).toMatchObject({
      signatureKind: 'tonconnect',
      domain: dialog.domain,
      timestamp: String(dialog.timestampS),
    });
    const { buyWith, ledger } = await shop();
    expect((await buyWith(grant).fetch(url)).status).toBe(200);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('hides the secret when a signer is printed', async () => {
    const grant = await chainOf();
    const signer = hashChainSigner(grant);
    const printed = inspect(signer, { depth: 9 });
    expect(printed).not.toContain(grant.secret);
    // Node's printed form of a buffer.
    expect(printed).not.toContain(inspect(Buffer.from(grant.secret, 'hex')).slice(1, -1));
  });

  it('rejects the secret of another chain', async () => {
    const grant = await chainOf();
    expect(() => hashChainSigner({ ...grant, secret: 'ab'.repeat(32) })).toThrow('another chain');
    const anchor = hashed(Buffer.from(grant.secret, 'hex'), 10).toString('hex');
    expect(grant.chain.anchor).toBe(anchor);
  });

  it.each<[string, Partial<HashChainOptions>]>([
    ['a positive unit', { unit: '0' }],
    ['a positive length', { length: 0 }],
    ['a length that fits into memory', { length: 100_001 }],
    ['an amount that the ledger can hold', { unit: 2n ** 62n }],
    ['a valid seller', { to: 'me' }],
    ['a valid deployment', { verifyingContract: 'here' }],
    ['an end within the allowed time', { validForS: 400 * 86_400 }],
  ])('throws without %s', async (_, changes) => {
    await expect(chainOf(changes)).rejects.toThrow(TypeError);
  });
});
