import { ok, waitFor, type Reply } from './client';
import {
  authorize,
  compactToken,
  confirmationId,
  NanoPayer,
  paymentDigest,
  resourceHash,
  type Authorization,
} from './nano-signature';
import { expectBadFields, expectEach, expectShape, type Shape } from './shape';
import { walk } from './walk';

const path = '/demo/premium';
const balanceShape: Shape = {
  address: 'string',
  asset: 'string',
  available: 'amount',
  reserved: 'amount',
  spent: 'amount',
  earned: 'amount',
  settled: 'amount',
  unsettled: 'amount',
  deposited: 'amount',
  withdrawn: 'amount',
  totalDeposited: 'amount',
  totalSpent: 'amount',
  updatedAt: 'iso',
};

const decode = (value: string | null): any => JSON.parse(Buffer.from(value ?? '', 'base64').toString());
const requirements = async (): Promise<any> =>
  decode((await walk.api.get(path)).headers.get('PAYMENT-REQUIRED'));
const resource = ({ resource: { url } }: any) => ({ method: 'GET', url });
const balance = async (address: string): Promise<any> => ok(await walk.api.get(`/balance/${address}`));
const fundedPayer = async (amount = '1000000', payer = new NanoPayer()): Promise<NanoPayer> => {
  ok(await walk.api.post('/sandbox/nanopay/deposit', { address: payer.address, amount }));
  await waitFor('the deposit is credited', async () =>
    (await balance(payer.address)).available === amount ? true : undefined,
  );
  return payer;
};
const pay = (header: string): Promise<Reply> => walk.api.get(path, { 'Payment-Signature': header });

export function describeNanoPayments(): void {
  describe('the bytes to sign', describeSignedBytes);
  describe('a protected resource', describeProtectedResource);
  describe('a payment that differs from the requirements', describeRejectedPayments);
  describe('a protected resource', describeOtherForms);
  describe('POST /verify', describeVerify);
  describe('the facilitator of x402', describeFacilitator);
  describe('policies and approvals', describePolicies);
  describe('GET /balance, /stats and /attestation', describeReads);
}

function describeSignedBytes(): void {
  it('have the digest and signature of the test vector', () => {
    const payer = new NanoPayer(Buffer.from(Array.from({ length: 32 }, (_, at) => at)));
    expect(payer.publicKey).toBe('03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8');
    expect(payer.address).toBe('0:f2801419aaa1b3704a0d50b5888dccb5511ed6e3191b99d144a04ea9ea390c52');
    const authorization: Authorization = {
      from: payer.address,
      to: `0:${'22'.repeat(32)}`,
      amount: '1000',
      asset: 'USDT',
      nonce: '00112233445566778899aabbccddeeff'.repeat(2),
      validAfter: '1800000000',
      validBefore: '1800000060',
      flags: 1,
      publicKey: payer.publicKey,
    };
    const network = {
      networkId: -239,
      verifyingContract: `0:${'11'.repeat(32)}`,
      master: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
    };
    const hash = resourceHash({ method: 'GET', url: 'https://api.example.com/premium-data' });
    const digest = paymentDigest(authorization, network, hash);
    expect(digest.toString('hex')).toBe('456f48c96f173caf719f0bcc188dde5f1c97d578ff8c7bd40a43ae591cb7deca');
    expect(payer.sign(digest).toString('hex').slice(0, 32)).toBe('88c3e4ffe0be197ea6563e867dcecec3');
    expect(confirmationId(digest)).toBe('10544e37a677a39143455b88b3d95d11');
  });
}

function describeProtectedResource(): void {
  it('returns 402 with the requirements in PAYMENT-REQUIRED', async () => {
    const reply = await walk.api.get(path);
    expect(reply.status).toBe(402);
    expect(reply.headers.get('PAYMENT-REQUIRED')).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    const required = await requirements();
    expectShape(required, { x402Version: 'number', resource: { url: 'string' }, error: 'string' });
    expect(required.x402Version).toBe(2);
    expectShape(required.accepts[0], {
      scheme: 'string',
      network: 'string',
      amount: 'amount',
      to: 'string',
      asset: 'string',
      extra: { name: 'string', verifyingContract: 'string', teeEndpoint: 'string' },
    });
    expect(required.accepts[0]).toMatchObject({
      scheme: 'ton-nanopay',
      network: 'ton-mainnet',
      asset: 'USDT',
    });
  });

  it('grants access for a valid signature, charges once and rejects the replay', async () => {
    const payer = await fundedPayer();
    const required = await requirements();
    const [accepted] = required.accepts;
    const { header, digest } = authorize(payer, accepted, resource(required));
    const paid = await pay(header);
    ok(paid);
    const response = decode(paid.headers.get('PAYMENT-RESPONSE'));
    expect(response).toMatchObject({ success: true, payer: payer.address, amount: accepted.amount });
    expect(response.extra.confirmationId).toBe(confirmationId(digest));
    const after = await balance(payer.address);
    expectShape(after, balanceShape);
    const price = BigInt(accepted.amount);
    expect(after).toMatchObject({ available: String(1_000_000n - price), spent: accepted.amount });

    const replay = await pay(header);
    expect(replay.status).toBe(402);
    expect(decode(replay.headers.get('PAYMENT-REQUIRED')).error).toBe('duplicate_settlement');
    expect((await balance(payer.address)).available).toBe(after.available);
    const receipt = ok(await walk.api.get(`/receipts/${confirmationId(digest)}`));
    expect(JSON.stringify(receipt)).toContain(confirmationId(digest));
  });

  it('accepts one of many concurrent copies of a payment', async () => {
    const payer = await fundedPayer();
    const required = await requirements();
    const { header } = authorize(payer, required.accepts[0], resource(required));
    const replies = await Promise.all(Array.from({ length: 20 }, () => pay(header)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(402)]);
  });

  it('returns 400 for a header that cannot be decoded', async () => {
    expect((await pay('%%%')).status).toBe(400);
    expect((await pay(Buffer.from('[]').toString('base64'))).status).toBe(400);
  });
}

function describeRejectedPayments(): void {
  it('fails with its reason and charges nothing', async () => {
    const payer = await fundedPayer();
    const required = await requirements();
    const [accepted] = required.accepts;
    const of = resource(required);
    const now = Math.floor(Date.now() / 1000);
    const past = { validAfter: String(now - 120), validBefore: String(now - 60) };
    const other = new NanoPayer();
    const headers: [string, string][] = [
      ['amount', authorize(payer, accepted, of, { amount: '1' }).header],
      ['recipient', authorize(payer, accepted, of, { to: other.address }).header],
      ['resource', authorize(payer, accepted, { ...of, url: `${of.url}/other` }).header],
      ['signature', authorize(other, accepted, of, { from: payer.address }).header],
      ['window', authorize(payer, accepted, of, past).header],
      ['funds', authorize(other, accepted, of).header],
    ];
    for (const [name, header] of headers) {
      const reply = await pay(header);
      expect([name, reply.status]).toEqual([name, 402]);
      expectShape(decode(reply.headers.get('PAYMENT-REQUIRED')), { x402Version: 'number', error: 'string' });
      const response = decode(reply.headers.get('PAYMENT-RESPONSE'));
      expectShape(response, { success: 'boolean', errorReason: 'string', network: 'string' });
      expect(response).toMatchObject({ success: false, transaction: '' });
    }
    expect((await balance(payer.address)).spent).toBe('0');
  });
}

function describeVerify(): void {
  it('accepts the four strings of the specification with a compact token, once', async () => {
    const payer = await fundedPayer();
    const required = await requirements();
    const [accepted] = required.accepts;
    const of = resource(required);
    const { authorization, signature, digest } = authorize(payer, accepted, of);
    const { from, to, amount } = authorization;
    const body = { from, to, amount, signature: compactToken(authorization, resourceHash(of), signature) };
    const verified = ok(await walk.api.post('/verify', body));
    expectShape(verified, { isValid: 'boolean', success: 'boolean', payer: 'string', amount: 'amount' });
    expect(verified).toMatchObject({ isValid: true, payer: payer.address });
    expect(verified.confirmationId).toBe(confirmationId(digest));
    expect((await balance(payer.address)).spent).toBe(accepted.amount);
    const again = ok(await walk.api.post('/verify', body));
    expect(again).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' });
  });

  it('requires a nonce with a bare signature', async () => {
    const required = await requirements();
    const { authorization, signature } = authorize(new NanoPayer(), required.accepts[0], resource(required));
    const { from, to, amount } = authorization;
    const reply = ok(await walk.api.post('/verify', { from, to, amount, signature }));
    expect(reply).toMatchObject({ isValid: false, invalidReason: 'nonce_required' });
  });

  it('lists the missing fields', async () => {
    expectBadFields(await walk.api.post('/verify', {}), ['from', 'to', 'amount', 'signature']);
  });
}

function describePolicies(): void {
  it('stores the policy of a new address', async () => {
    const { address } = new NanoPayer();
    const policy = { address, maxAmount: '500', rateLimit: 10 };
    expect(ok(await walk.api.post('/policy', policy))).toMatchObject(policy);
    expect(ok(await walk.api.get(`/policy/${address}`))).toMatchObject(policy);
    expectBadFields(await walk.api.post('/policy', {}), ['address', 'maxAmount', 'rateLimit']);
  });

  it('rejects an unsigned change of the policy of a funded address', async () => {
    const payer = await fundedPayer();
    const reply = await walk.api.post('/policy', { address: payer.address, maxAmount: '1', rateLimit: 1 });
    expect([401, 403]).toContain(reply.status);
  });

  it('queues a payment above maxAmount for approval, and charges nothing', async () => {
    const payer = new NanoPayer();
    ok(await walk.api.post('/policy', { address: payer.address, maxAmount: '1', rateLimit: 100 }));
    await fundedPayer('1000000', payer);
    const required = await requirements();
    const reply = await pay(authorize(payer, required.accepts[0], resource(required)).header);
    expect(reply.status).toBe(402);
    expect(decode(reply.headers.get('PAYMENT-REQUIRED')).error).toBe('approval_required');
    const queue = ok(await walk.api.get('/approvals'));
    expectShape(queue, { approvals: 'array', count: 'integer' });
    expectEach(queue.approvals, {
      id: 'string',
      from: 'string',
      to: 'string',
      amount: 'amount',
      asset: 'string',
      status: 'string',
      createdAt: 'iso',
      expiresAt: 'iso',
    });
    expect(queue.approvals).toContainEqual(expect.objectContaining({ from: payer.address }));
    expect(await balance(payer.address)).toMatchObject({ available: '1000000', reserved: '0', spent: '0' });
  });
}

function describeReads(): void {
  it('returns zeros for an unknown address and 400 for a malformed one', async () => {
    const unknown = await balance(new NanoPayer().address);
    expectShape(unknown, { ...balanceShape });
    expect(unknown).toMatchObject({ available: '0', deposited: '0', spent: '0' });
    expectBadFields(await walk.api.get('/balance/unknown'), ['address']);
  });

  it('returns the statistics', async () => {
    const stats = ok(await walk.api.get('/stats'));
    expectShape(stats, {
      accounts: 'number',
      pendingApprovals: 'number',
      rejected: 'number',
      p50Ms: 'number',
      p99Ms: 'number',
      ledger: { head: 'string' },
      uptimeSeconds: 'number',
    });
    expect(stats).toHaveProperty('payments');
    expect(stats).toHaveProperty('volume');
  });

  it('returns an attestation bound to the caller’s nonce', async () => {
    const nonce = 'ab'.repeat(16);
    const attestation = ok(await walk.api.get(`/attestation?nonce=${nonce}`));
    expectShape(attestation, {
      version: 'number',
      mode: 'string',
      attested: 'boolean',
      isDevelopment: 'boolean',
      teePublicKey: 'string',
      keyEpoch: 'number',
      network: 'string',
      verifyingContract: 'string',
      reportData: 'string',
      issuedAt: 'iso',
      expiresAt: 'iso',
      signature: 'string',
    });
    expect(attestation).toMatchObject({ version: 1, nonce });
    expectShape(ok(await walk.api.get('/attestation')), { mode: 'string', attested: 'boolean' });
    const { extra } = (await requirements()).accepts[0];
    expect(attestation.verifyingContract).toBe(extra.verifyingContract);
  });
}

function describeFacilitator(): void {
  it('lists the supported schemes and networks', async () => {
    const supported = ok(await walk.api.get('/supported'));
    expectEach(supported.kinds, {
      x402Version: 'number',
      scheme: 'string',
      network: 'string',
      extra: 'object',
    });
    const networks = supported.kinds.map(({ network }: any) => network);
    expect(networks).toEqual(expect.arrayContaining(['ton-mainnet', 'tvm:-239']));
    expectShape(supported, { extensions: 'strings', signers: 'object' });
  });

  it('verifies, holds and settles a payment once, for an external seller', async () => {
    const payer = await fundedPayer();
    const [offer] = (await requirements()).accepts;
    const accepted = { ...offer, to: new NanoPayer().address };
    accepted.payTo = accepted.to;
    const of = { method: 'GET', url: 'https://shop.example.com/forecast' };
    const { header, digest } = authorize(payer, accepted, of);
    const paymentPayload = { ...decode(header), resource: { url: of.url } };
    const body = { x402Version: 2, paymentPayload, paymentRequirements: accepted };
    const verified = ok(await walk.api.post('/verify', body));
    expect(verified).toMatchObject({ isValid: true, payer: payer.address });
    expect(await balance(payer.address)).toMatchObject({ reserved: accepted.amount, spent: '0' });
    const settled = ok(await walk.api.post('/settle', body));
    expectShape(settled, { success: 'boolean', transaction: 'string', network: 'string', payer: 'string' });
    expect(settled).toMatchObject({ success: true, transaction: confirmationId(digest) });
    expect(await balance(payer.address)).toMatchObject({ reserved: '0', spent: accepted.amount });
    expect((await balance(accepted.to)).earned).toBe(accepted.amount);
    expect(ok(await walk.api.post('/settle', body))).toMatchObject({ success: false });
  });
}

function describeOtherForms(): void {
  it('pays the CAIP-2 entry, with the seller in to and payTo', async () => {
    const payer = await fundedPayer();
    const required = await requirements();
    const accepted = required.accepts.find(({ network }: any) => network === 'tvm:-239');
    expect(accepted.to).toBe(accepted.payTo);
    const { header } = authorize(payer, accepted, resource(required), { to: accepted.payTo });
    ok(await pay(header));
    expect((await balance(payer.address)).spent).toBe(accepted.amount);
  });

  it('accepts the compact token alone', async () => {
    const payer = await fundedPayer();
    const required = await requirements();
    const of = resource(required);
    const { authorization, signature } = authorize(payer, required.accepts[0], of);
    ok(await pay(compactToken(authorization, resourceHash(of), signature)));
  });

  it('limits payments by the rateLimit of the policy', async () => {
    const payer = new NanoPayer();
    ok(await walk.api.post('/policy', { address: payer.address, maxAmount: '1000000', rateLimit: 1 }));
    await fundedPayer('1000000', payer);
    const required = await requirements();
    const send = () => pay(authorize(payer, required.accepts[0], resource(required)).header);
    ok(await send());
    const limited = await send();
    expect(limited.status).toBe(402);
    expect(decode(limited.headers.get('PAYMENT-REQUIRED')).error).toBe('rate_limited');
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await balance(payer.address)).spent).toBe(required.accepts[0].amount);
  });
}
