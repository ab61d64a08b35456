import {
  dialogDigest,
  readPaymentPayload,
  signingKey,
  type PresentedPayment,
} from '@tollbridge/nanopay-protocol';
import { x402Client } from '@x402/core/client';
import { createBuyer } from './buyer';
import { payerAddress, sessionSigner, signerOfSeed } from './payment-signer';
import { createSessionGrant, type SessionGrantOptions } from './session';
import {
  buyer as wallet,
  buyerAddress,
  deployment,
  readHeader,
  sampleHarness,
  seller,
} from './testing/samples';
import type { MemoryEnclave } from './testing';
import { TonNanopayClient } from './x402';

const agentSeed = Buffer.alloc(32, 0x42);
const agentKey = signingKey(agentSeed).publicKey;
const url = 'https://api.example.com/premium-data';
const limits = { maxPerPayment: '100000', maxTotal: '100000' };

const grantOf = (changes: Partial<SessionGrantOptions> = {}) =>
  createSessionGrant(wallet, {
    sessionPublicKey: agentKey,
    verifyingContract: deployment.verifyingContract,
    to: seller,
    maxPerPayment: '1000',
    maxTotal: 3000n,
    validForS: 86_400,
    ...changes,
  });

/** A shop with the price 1000, and an agent that buys there. */
async function shop(changes: Partial<SessionGrantOptions> = {}) {
  const { ledger, paywall } = sampleHarness();
  const route = paywall.route({ amount: '1000' });
  const headers: string[] = [];
  const answer = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const payment = new Headers(init?.headers).get('payment-signature') ?? undefined;
    if (payment) headers.push(payment);
    const verdict = await route.decide({ method: 'GET', url: '/premium-data', payment });
    return verdict.kind === 'granted'
      ? new Response('sold', { headers: verdict.grant.headers as Record<string, string> })
      : new Response(null, verdict.answer as ResponseInit);
  };
  const signer = sessionSigner(await grantOf(changes), agentSeed);
  const agent = createBuyer({ signer, ...limits, fetch: answer as typeof fetch });
  return { ledger, agent, headers, signer };
}

describe('sessionSigner', () => {
  it("pays from the wallet by the agent's key until the total is spent", async () => {
    const { ledger, agent, headers } = await shop();
    expect(agent.address).toBe(buyerAddress);
    for (let count = 0; count < 3; count++) expect((await agent.fetch(url)).status).toBe(200);
    expect((await agent.fetch(url)).status).toBe(402);
    expect(ledger.balanceOf(buyerAddress)).toBe(997_000n);
    const { payload } = readHeader<{ payload: { authorization: object } }>(headers[0]);
    expect(payload.authorization).toMatchObject({
      from: buyerAddress,
      flags: 5,
      session: { maxTotal: '3000' },
    });
    expect(JSON.stringify(payload)).not.toContain(agentSeed.toString('hex'));
  });

  it.each<[string, Partial<SessionGrantOptions>, string]>([
    ['for another seller', { to: `0:${'99'.repeat(32)}` }, 'another seller'],
    ['through another deployment', { verifyingContract: `0:${'98'.repeat(32)}` }, 'another deployment'],
    ['in another asset', { asset: `0:${'97'.repeat(32)}` }, 'another asset'],
    ['above the limit per payment', { maxPerPayment: '999' }, 'smaller payments'],
    ['after the grant has expired', { nowMs: Date.now() - 90_000_000 }, 'over'],
  ])('signs nothing %s', async (_, changes, message) => {
    const { agent, headers } = await shop(changes);
    await expect(agent.fetch(url)).rejects.toThrow(message);
    expect(headers).toEqual([]);
  });

  it('pays through the official client', async () => {
    const { paywall, ledger } = sampleHarness();
    const scheme = new TonNanopayClient({ signer: sessionSigner(await grantOf(), agentSeed) });
    const client = new x402Client().register('ton-mainnet' as never, scheme as never);
    const request = { method: 'GET', url: '/premium-data' };
    const route = paywall.route({ amount: '1000' });
    const asked = await route.decide({ ...request, payment: undefined });
    const required = readHeader<never>(
      (asked as { answer: { headers: Record<string, string> } }).answer.headers['PAYMENT-REQUIRED'],
    );
    const payment = Buffer.from(JSON.stringify(await client.createPaymentPayload(required))).toString(
      'base64',
    );
    expect((await route.decide({ ...request, payment })).kind).toBe('granted');
    expect(ledger.balanceOf(seller)).toBe(1000n);
  });
});

describe('createSessionGrant', () => {
  it('includes domain and timestamp of a wallet dialog', async () => {
    const dialog = { domain: 'pay.example.com', timestampS: Math.floor(Date.now() / 1000) };
    const signed: Uint8Array[] = [];
    const inDialog = {
      publicKey: wallet.publicKey,
      sign: (digest: Uint8Array) => {
        signed.push(digest);
        const signature = wallet.sign(dialogDigest(buyerAddress, dialog, digest)) as Uint8Array;
        return { signature, domain: dialog.domain, timestamp: dialog.timestampS };
      },
    };
    const grant = await createSessionGrant(inDialog, {
      sessionPublicKey: agentKey.toString('hex'),
      verifyingContract: deployment.verifyingContract,
      maxPerPayment: 1n,
      maxTotal: 2n,
      validForS: 60,
    });
    expect(signed).toHaveLength(1);
    expect(grant.session).toMatchObject({ signatureKind: 'tonconnect', domain: 'pay.example.com' });
    expect(grant.session.to).toBeUndefined();
    const authorization = {
      from: buyerAddress,
      to: seller,
      amount: '1',
      nonce: '44'.repeat(32),
      validAfter: '1',
      validBefore: '2',
      flags: 5,
      session: grant.session,
    };
    const read = readPaymentPayload({ authorization, signature: 'aa'.repeat(64) }) as PresentedPayment;
    expect(read.session).toMatchObject({ dialog, to: undefined, maxTotalAtomic: 2n });
  });

  it('creates a grant that survives JSON and rejects another key', async () => {
    const grant = JSON.parse(JSON.stringify(await grantOf()));
    expect(payerAddress(sessionSigner(grant, agentSeed.toString('hex')))).toBe(buyerAddress);
    expect(() => sessionSigner(grant, Buffer.alloc(32, 1))).toThrow('another key');
    expect(() => sessionSigner(grant, 'ab')).toThrow('32 bytes');
  });

  it.each<[string, Partial<SessionGrantOptions>]>([
    ['a key', { sessionPublicKey: 'ab' }],
    ['an amount', { maxPerPayment: '0' }],
    ['a total', { maxTotal: '1.5' }],
    ['a deployment', { verifyingContract: 'here' }],
    ['a seller', { to: 'me' }],
    ['an end', { validForS: 400 * 86_400 }],
    ['a whole number of seconds', { validForS: 0.5 }],
  ])('throws without %s', async (_, changes) => {
    await expect(grantOf(changes)).rejects.toThrow(TypeError);
  });

  it('creates a grant that the ledger service rejects after another key signed it', async () => {
    const { ledger, agent } = await shop();
    const outcomes: unknown[] = [];
    const send = ledger.send.bind(ledger);
    const forging: MemoryEnclave['send'] = async (items) => {
      const forged = items.map((item) =>
        item.kind !== 'void' && item.kind !== 'settle' && item.session
          ? { ...item, session: { ...item.session, maxTotalAtomic: 1_000_000n } }
          : item,
      );
      const answered = await send(forged);
      outcomes.push(...answered);
      return answered;
    };
    ledger.send = forging;
    expect((await agent.fetch(url)).status).toBe(402);
    expect(outcomes).toMatchObject([{ reason: 'invalid_ton_nanopay_session' }]);
  });
});

it('omits the session from payments of the wallet itself', () => {
  expect(signerOfSeed(agentSeed).grant).toBeUndefined();
});
