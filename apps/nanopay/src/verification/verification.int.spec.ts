import { readFileSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { nanoVerificationApi, type NanoVerifyReply } from '@tollbridge/contracts';
import { asset, contract, seller, type Buyer } from '@tollbridge/app-tee/testing';
import type { CallContext, DomainError } from '@tollbridge/rpc';
import {
  compactToken,
  confirmationIdOf,
  digestOf,
  hashChainGrantDigest,
  hashed,
  linkNonce,
  encodeFrame,
  isKeylessCall,
  isReceipt,
  paymentBytes,
  paymentsSubject,
  resourceHash,
  sessionGrantDigest,
  signingKey,
  type PaymentTerms,
  type Receipt,
  type SigningKey,
} from '@tollbridge/nanopay-protocol';
import { aChargeItem } from '@tollbridge/nanopay-protocol/testing';
import { eventually, missingCases } from '@tollbridge/testing';
import {
  authorizationOf,
  NanopayHarness,
  publicUrl,
  requirementsOf,
  signatureOf,
  termsOf,
  url,
} from '../testing/nanopay-harness';
import { callKeyOf } from './call-key';

const { verifyPayment, settlePayment, getSupported } = nanoVerificationApi.operations;
const other = `0:${'33'.repeat(32)}`;

let harness: NanopayHarness;
let buyer: Buyer;
beforeAll(async () => (harness = await NanopayHarness.start()), 60_000);
afterAll(() => harness?.close());
beforeEach(async () => (buyer = await harness.funded()));

const verify = (input: object, context?: Partial<CallContext>) => harness.call(verifyPayment, input, context);
const settle = (input: object, context?: Partial<CallContext>) => harness.call(settlePayment, input, context);
/** The verdict of one of many concurrent calls. Repeats a call with an unknown outcome, like a client. */
function verdict<T>(call: (context: Partial<CallContext>) => Promise<T>): Promise<T> {
  const idempotencyKey = randomUUID();
  return eventually(() => call({ idempotencyKey }));
}
const balance = () => harness.tee.balanceOf(buyer.address);

/** `CODE: fields` of a failure. */
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (output) => output,
    ({ code, details }: DomainError) => [
      code,
      ...((details as { field: string }[] | undefined) ?? []).map(({ field }) => field).sort(),
    ],
  );

/** Every field of the specification's form. */
function authorization(changes: Partial<PaymentTerms> = {}, from = buyer): Record<string, unknown> {
  const terms = termsOf(from.address, changes);
  const { asset: _asset, ...fields } = authorizationOf(from, terms);
  return {
    ...fields,
    flags: terms.flags,
    resource: url,
    signature: signatureOf(from, terms).toString('hex'),
  };
}

/** The specification's four fields with a compact token. */
function compact(changes: Partial<PaymentTerms> = {}): Record<string, unknown> {
  const terms = termsOf(buyer.address, changes);
  const { nonce, validAfterS, validBeforeS, flags } = terms;
  const token = compactToken({
    flags,
    nonce,
    validAfterS,
    validBeforeS,
    resourceHash: terms.resourceHash,
    publicKey: buyer.key.publicKey,
    signature: signatureOf(buyer, terms),
  });
  return {
    from: terms.from,
    to: terms.to,
    amount: terms.amountAtomic.toString(),
    signature: token,
  };
}

/** A grant of the buyer for two payments, with the agent's signature instead of the buyer's. */
function grantTo(agent: SigningKey) {
  const nowS = BigInt(Math.floor(Date.now() / 1000));
  const terms = {
    publicKey: agent.publicKey,
    to: seller,
    maxPerPaymentAtomic: 1000n,
    maxTotalAtomic: 2000n,
    validAfterS: nowS,
    validBeforeS: nowS + 60n,
    nonce: randomBytes(32),
  };
  const digest = sessionGrantDigest(termsOf(buyer.address), terms);
  const session = {
    publicKey: agent.publicKey.toString('hex'),
    to: seller,
    maxPerPayment: '1000',
    maxTotal: '2000',
    validAfter: terms.validAfterS.toString(),
    validBefore: terms.validBeforeS.toString(),
    nonce: terms.nonce.toString('hex'),
    signature: buyer.key.sign(digest).toString('base64'),
  };
  const sign = (fields: Record<string, unknown>): Record<string, unknown> => {
    const signed = termsOf(buyer.address, {
      flags: 5,
      nonce: Buffer.from(fields['nonce'] as string, 'hex'),
      validAfterS: BigInt(fields['validAfter'] as string),
      validBeforeS: BigInt(fields['validBefore'] as string),
    });
    return { ...fields, signature: agent.sign(digestOf(paymentBytes(signed))).toString('hex') };
  };
  return { session, sign };
}

/** A chain of the buyer, and the fields of the payment that reveals one of its links. */
function chainOf(): (index: number) => Record<string, unknown> {
  const secret = randomBytes(32);
  const nowS = BigInt(Math.floor(Date.now() / 1000));
  const terms = {
    unitAtomic: 1000n,
    length: 9,
    anchor: hashed(secret, 9),
    nonce: randomBytes(32),
    validAfterS: nowS,
    validBeforeS: nowS + 60n,
  };
  const grant = hashChainGrantDigest(termsOf(buyer.address), seller, terms);
  const member = {
    unit: '1000',
    length: '9',
    anchor: terms.anchor.toString('hex'),
    nonce: terms.nonce.toString('hex'),
    validAfter: terms.validAfterS.toString(),
    validBefore: terms.validBeforeS.toString(),
  };
  return (index) => {
    const { resource: _resource, ...fields } = authorization({ flags: 8, nonce: linkNonce(grant, index) });
    const link = hashed(secret, 9 - index).toString('hex');
    const chain = { ...member, index: String(index), link };
    return { ...fields, chain, signature: buyer.key.sign(grant).toString('base64') };
  };
}

/** The body of a facilitator request. */
function facilitation(
  changes: Partial<PaymentTerms> = {},
  requirements = requirementsOf(),
  accepted: object = requirements,
): Record<string, any> {
  const terms = termsOf(buyer.address, changes);
  const payload = {
    authorization: { ...authorizationOf(buyer, terms), flags: terms.flags },
    signature: signatureOf(buyer, terms).toString('base64'),
    signatureKind: 'raw',
  };
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted, payload, resource: { url } },
    paymentRequirements: requirements,
  };
}

const reasonOf = ({ isValid, success, invalidReason, error }: NanoVerifyReply) => {
  // Both pairs of field names have the same values.
  expect([isValid, success, error]).toEqual([false, false, invalidReason]);
  return invalidReason;
};

/** Runs `run` while the ledger service is stopped. */
async function withoutLedger(run: () => Promise<void>): Promise<void> {
  await harness.tee.apps.pop()!.close();
  try {
    await run();
  } finally {
    await harness.tee.startApp();
  }
}

describe('POST /verify', () => {
  it('200: charges the fields of an authorization and returns a receipt', async () => {
    const reply = await verify(authorization());
    expect(reply).toMatchObject({ isValid: true, success: true, payer: buyer.address, amount: '1000' });
    const { status, receipt, seq } = reply.extra as { status: string; receipt: Receipt; seq: string };
    expect([status, receipt.seq, receipt.confirmationId]).toEqual(['captured', seq, reply.confirmationId]);
    expect(isReceipt(receipt, harness.enclaveKey)).toBe(true);
    expect(await balance()).toMatchObject({ available: '9000', spent: '1000' });
  });

  it('200: charges four fields with a compact token', async () => {
    expect(await verify(compact())).toMatchObject({ isValid: true, extra: { status: 'captured' } });
    expect(await balance()).toMatchObject({ spent: '1000' });
  });

  it('200: rejects a compact token for another resource than the requested one', async () => {
    const elsewhere = { resource: `${url}?a=1` };
    expect(reasonOf(await verify({ ...compact(), ...elsewhere }))).toBe(
      'invalid_ton_nanopay_resource_mismatch',
    );
    expect(await verify({ ...compact(), resource: url })).toMatchObject({ isValid: true });
  });

  it('200: accepts the resource as a hash, as method and URL, or without a resource', async () => {
    const hash = resourceHash('POST', url);
    const bound = { resourceHash: hash };
    const { resource: _none, ...fields } = authorization(bound);
    for (const named of [
      { ...fields, resourceHash: hash.toString('hex') },
      { ...authorization(bound), resource: url, method: 'POST' },
    ])
      expect(await verify(named)).toMatchObject({ isValid: true });
    const both = { ...authorization(bound), resourceHash: hash.toString('hex'), method: 'POST' };
    expect(reasonOf(await verify({ ...both, resource: `${url}?a=1` }))).toBe(
      'invalid_ton_nanopay_resource_mismatch',
    );
    expect(await verify({ ...both, resource: url })).toMatchObject({ isValid: true });
    const { resource: _other, ...unbound } = authorization({ flags: 0, resourceHash: Buffer.alloc(32) });
    expect(await verify(unbound)).toMatchObject({ isValid: true });
    // A signature for one resource does not pay for another.
    expect(reasonOf(await verify({ ...authorization(), method: 'POST' }))).toBe(
      'invalid_ton_nanopay_signature',
    );
  });

  it('200: returns the same for mode check and charges nothing', async () => {
    const fields = authorization();
    const checked = await verify({ ...fields, mode: 'check' });
    expect(checked).toMatchObject({ isValid: true, amount: '1000', extra: { status: 'checked' } });
    expect(checked.extra).not.toHaveProperty('receipt');
    expect(await balance()).toMatchObject({ available: '10000', reserved: '0' });
    expect(await verify(fields)).toMatchObject({ isValid: true, confirmationId: checked.confirmationId });
    expect(reasonOf(await verify({ ...fields, mode: 'check' }))).toBe('duplicate_settlement');
  });

  it.each(['nonce', 'validAfter', 'validBefore'])(
    '200: rejects an authorization without %s',
    async (field) => {
      const fields = authorization();
      expect(reasonOf(await verify({ ...fields, [field]: undefined }))).toBe('nonce_required');
    },
  );

  it.each<[string, () => object, string]>([
    ['another network', () => ({ network: 'ton-testnet' }), 'invalid_network'],
    ['an unknown network', () => ({ network: 'nowhere' }), 'invalid_network'],
    ['another deployment', () => ({ verifyingContract: other }), 'invalid_ton_nanopay_contract_mismatch'],
    ['another asset', () => ({ asset: other }), 'invalid_ton_nanopay_asset_mismatch'],
    ['another recipient', () => ({ to: other }), 'invalid_ton_nanopay_signature'],
    ['the payer as recipient', () => ({ to: buyer.address }), 'invalid_ton_nanopay_recipient_mismatch'],
    ['another amount', () => ({ amount: '999' }), 'invalid_ton_nanopay_signature'],
    ['another nonce', () => ({ nonce: '00'.repeat(32) }), 'invalid_ton_nanopay_signature'],
    ['another expiry', () => ({ validBefore: '1' }), 'invalid_ton_nanopay_valid_before'],
    ['the session flag', () => ({ flags: 5 }), 'invalid_ton_nanopay_session'],
    [
      'another key',
      () => ({ publicKey: Buffer.alloc(32, 9).toString('hex') }),
      'invalid_ton_nanopay_unknown_key',
    ],
  ])('200: rejects a change after the signature: %s', async (_, changes, reason) => {
    const reply = await verify({ ...authorization(), ...changes() });
    expect(reasonOf(reply)).toBe(reason);
    expect(reply.invalidMessage).toMatch(/^[A-Z].+\.$/);
    expect(await balance()).toMatchObject({ available: '10000' });
  });

  it.each(['the specification', 'x402'])(
    '200: charges the signature of an agent under a grant in the form of %s, up to its total',
    async (form) => {
      const agent = signingKey(randomBytes(32));
      const { session, sign } = grantTo(agent);
      const pay = (): Promise<NanoVerifyReply> => {
        const { publicKey, resource, ...fields } = sign(authorization({ flags: 5 }));
        if (form !== 'x402') return verify({ ...fields, publicKey, resource, session });
        const { signature, ...signed } = fields;
        const payload = { authorization: { ...signed, publicKey, session }, signature };
        const paymentPayload = { x402Version: 2, accepted: requirementsOf(), resource: { url }, payload };
        return verify({ x402Version: 2, paymentPayload, paymentRequirements: requirementsOf() });
      };
      expect([(await pay()).isValid, (await pay()).isValid]).toEqual([true, true]);
      expect(reasonOf(await pay())).toBe('invalid_ton_nanopay_session');
      const forged = { ...sign(authorization({ flags: 5 })), session: { ...session, maxTotal: '9000' } };
      expect(reasonOf(await verify(forged))).toBe('invalid_ton_nanopay_session');
      const unreadable = { ...sign(authorization({ flags: 5 })), session: { ...session, nonce: 'ab' } };
      expect(reasonOf(await verify(unreadable))).toBe('invalid_payload');
      expect(await balance()).toMatchObject({ available: '8000' });
    },
  );

  it('200: charges the links of a chain in order', async () => {
    const chain = chainOf();
    expect(await verify({ ...chain(1), mode: 'check' })).toMatchObject({ isValid: true });
    expect(await verify(chain(1))).toMatchObject({ isValid: true, amount: '1000' });
    expect(reasonOf(await verify(chain(1)))).toBe('duplicate_settlement');
    expect(reasonOf(await verify(chain(3)))).toBe('invalid_ton_nanopay_amount_mismatch');
    const another = { ...chain(2), chain: chain(3)['chain'] };
    expect(reasonOf(await verify(another))).toBe('invalid_ton_nanopay_hash_chain');
    expect(await verify(chain(2))).toMatchObject({ isValid: true });
    expect(await balance()).toMatchObject({ available: '8000', spent: '2000' });
  });

  it('200: charges only one of a hundred concurrent copies', async () => {
    const fields = authorization();
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => verdict((context) => verify(fields, context))),
    );
    expect(replies.filter(({ isValid }) => isValid)).toHaveLength(1);
    const reasons = new Set(replies.map(({ invalidReason }) => invalidReason));
    expect(reasons).toEqual(new Set([undefined, 'duplicate_settlement']));
    expect(await balance()).toMatchObject({ spent: '1000' });
  });

  it('200: returns the same reply for the same call, also after the first reply was lost', async () => {
    const fields = authorization();
    const idempotencyKey = 'verify-once';
    // The state after a replica has charged the payment and died before its reply.
    const terms = { ...termsOf(buyer.address), nonce: Buffer.from(fields.nonce as string, 'hex') };
    const seconds = { validAfterS: BigInt(fields.validAfter as string) };
    const payment = paymentBytes({
      ...terms,
      ...seconds,
      validBeforeS: BigInt(fields.validBefore as string),
    });
    const claim = { idempotencyKey } as CallContext['claim'] & object;
    const item = aChargeItem({
      callKey: callKeyOf({ principal: 'public', claim } as CallContext, 'verify'),
      payment,
      signature: buyer.key.sign(digestOf(payment)),
      publicKey: buyer.key.publicKey,
    });
    await harness.tee.bus.request(paymentsSubject, encodeFrame([item]), { timeoutMs: 5_000 });
    const reply = await verify(fields, { idempotencyKey });
    expect(reply).toMatchObject({ isValid: true, extra: { status: 'captured' } });
    expect(await verify(fields, { idempotencyKey })).toEqual(reply);
    expect(reasonOf(await verify(fields, { idempotencyKey: 'verify-again' }))).toBe('duplicate_settlement');
    expect(await balance()).toMatchObject({ spent: '1000' });
  });

  it.each([{}, { network: 'ton-mainnet', asset: 'USDT' }])(
    '200: holds a payment in the form of x402 once (%j)',
    async (spelling) => {
      const body = facilitation({}, requirementsOf(spelling));
      const reply = await verify(body);
      expect(reply).toMatchObject({ isValid: true, payer: buyer.address, extra: { status: 'held' } });
      expect(await balance()).toMatchObject({ available: '9000', reserved: '1000', spent: '0' });
      expect(reasonOf(await verify(body))).toBe('duplicate_settlement');
    },
  );

  it('200: checks a payment in the form of x402', async () => {
    expect(await verify({ ...facilitation(), mode: 'check' })).toMatchObject({
      isValid: true,
      extra: { status: 'checked' },
    });
    expect(await balance()).toMatchObject({ reserved: '0' });
  });

  it.each<[string, object]>([
    ['another network', { network: 'tvm:-3' }],
    ['an invalid network', { network: 7 }],
    ['another asset', { asset: other }],
    ['another deployment', { extra: { verifyingContract: other } }],
    ['no deployment', { extra: {} }],
    ['an invalid recipient', { payTo: 'nowhere' }],
    ['an invalid amount', { amount: '1.5' }],
    ['a timeout of 0', { maxTimeoutSeconds: 0 }],
    [
      'bound bodies, which are not available here',
      { extra: { verifyingContract: contract, bindBody: true } },
    ],
  ])('200: rejects requirements with %s', async (_, changes) => {
    const body = { ...facilitation(), paymentRequirements: requirementsOf(changes) };
    expect(reasonOf(await verify(body))).toBe('invalid_payment_requirements');
  });

  it.each([
    ['that no key controls', `0:${'0'.repeat(64)}`],
    ['that is the token contract', asset],
    ['that is the contract of nano-payments', contract],
  ])('200: rejects requirements of a seller %s and charges nothing', async (_, to) => {
    const body = facilitation({ to }, requirementsOf({ payTo: to }));
    expect(reasonOf(await verify(body))).toBe('invalid_payment_requirements');
    expect(await settle(body)).toMatchObject({ success: false, errorReason: 'invalid_payment_requirements' });
    expect(await balance()).toMatchObject({ reserved: '0', spent: '0' });
  });

  it.each<[string, (body: Record<string, any>) => object, string]>([
    ['version 1', (body) => ({ ...body, x402Version: 1 }), 'invalid_x402_version'],
    [
      'no version',
      ({ x402Version: _, ...body }) => ({ ...body, paymentPayload: {} }),
      'invalid_x402_version',
    ],
    [
      'another scheme',
      (body) => ({ ...body, paymentRequirements: requirementsOf({ scheme: 'foo' }) }),
      'unsupported_scheme',
    ],
    [
      'an official scheme on an unknown network',
      (body) => ({ ...body, paymentRequirements: requirementsOf({ scheme: 'exact', network: '!!!' }) }),
      'invalid_network',
    ],
    ['requirements without fields', (body) => ({ ...body, paymentRequirements: {} }), 'unsupported_scheme'],
    ['an empty payload', (body) => ({ ...body, paymentPayload: { x402Version: 2 } }), 'invalid_payload'],
    [
      'another price',
      (body) => ({ ...body, paymentRequirements: requirementsOf({ amount: '1001' }) }),
      'invalid_ton_nanopay_amount_mismatch',
    ],
    [
      'another seller',
      (body) => ({ ...body, paymentRequirements: requirementsOf({ payTo: other }) }),
      'invalid_ton_nanopay_recipient_mismatch',
    ],
    [
      'no resource',
      (body) => ({ ...body, paymentPayload: { ...body.paymentPayload, resource: undefined } }),
      'invalid_ton_nanopay_resource_mismatch',
    ],
    [
      'another resource',
      (body) => ({ ...body, paymentPayload: { ...body.paymentPayload, resource: { url: `${url}2` } } }),
      'invalid_ton_nanopay_signature',
    ],
    [
      'nothing to be charged',
      (body) => ({ ...body, paymentRequirements: requirementsOf({ amount: '0' }) }),
      'invalid_ton_nanopay_amount_mismatch',
    ],
  ])('200: rejects %s in the form of x402', async (_, change, reason) => {
    expect(reasonOf(await verify(change(facilitation())))).toBe(reason);
    expect(await balance()).toMatchObject({ available: '10000' });
  });

  it.each(['foo', 'exact'])(
    '200: refers to the list of schemes and networks for the scheme %s',
    async (scheme) => {
      const body = { ...facilitation(), paymentRequirements: requirementsOf({ scheme, network: '!!!' }) };
      const { invalidMessage } = await verify(body);
      expect(invalidMessage).toContain('GET /supported lists the schemes and networks');
      expect((await settle(body)).errorMessage).toBe(invalidMessage);
    },
  );

  it('200: returns the approval id when the payer has to approve', async () => {
    await limit({ maxAmount: 999, rateLimit: 100 });
    const reply = await verify(authorization());
    expect(reasonOf(reply)).toBe('approval_required');
    expect(reply.extra).toEqual({ approvalId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(reply.payer).toBe(buyer.address);
  });

  it("429 RATE_LIMIT_EXCEEDED: returns the time to wait when the payer's own limit is reached", async () => {
    await limit({ maxAmount: 100_000, rateLimit: 1 });
    expect(await verify(authorization())).toMatchObject({ isValid: true });
    await expect(verify(authorization())).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: expect.any(Number),
    });
  });

  it('400 VALIDATION_ERROR: returns every invalid field', async () => {
    expect(await failure(verify({ network: 'ton-mainnet' }))).toEqual([
      'VALIDATION_ERROR',
      'amount',
      'from',
      'signature',
      'to',
    ]);
    const mistyped = `EQ${'A'.repeat(46)}`;
    const wrong = { from: mistyped, to: mistyped, amount: '9223372036854775808', signature: 'np1.abc' };
    const more = { verifyingContract: mistyped, stateInit: '*', signatureKind: 'tonconnect', flags: 1 };
    expect(await failure(verify({ ...wrong, ...more }))).toEqual([
      'VALIDATION_ERROR',
      'amount',
      'domain',
      'flags',
      'from',
      'signature',
      'stateInit',
      'timestamp',
      'to',
      'verifyingContract',
    ]);
    expect(await failure(verify({ ...authorization(), nonce: 'ab', extra: 1 }))).toEqual([
      'VALIDATION_ERROR',
      'extra',
      'nonce',
    ]);
  });

  it.each([
    ['an account that no key controls', `0:${'0'.repeat(64)}`],
    ['the zero address in its friendly form', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'],
    ['the token contract', asset],
    ['the contract of nano-payments', contract],
  ])('400 VALIDATION_ERROR: rejects a payment to %s', async (_, to) => {
    expect(await failure(verify({ ...authorization(), to }))).toEqual(['VALIDATION_ERROR', 'to']);
    expect(await balance()).toMatchObject({ spent: '0' });
  });

  it('400 VALIDATION_ERROR: returns the fields of both forms for an empty body', async () => {
    expect(await failure(verify({}))).toEqual([
      'VALIDATION_ERROR',
      'amount',
      'from',
      'paymentPayload',
      'paymentRequirements',
      'signature',
      'to',
    ]);
  });

  it.each([
    ['of the wrong type', 'text'],
    ['too large', { x402Version: 2, payload: 'x'.repeat(16_384) }],
  ])('400 VALIDATION_ERROR: returns objects of x402 that are %s, and no other field', async (_, value) => {
    const both = { x402Version: 2, paymentPayload: value, paymentRequirements: value };
    const named = ['VALIDATION_ERROR', 'paymentPayload', 'paymentRequirements'];
    expect(await failure(verify(both))).toEqual(named);
    expect(await failure(settle(both))).toEqual(named);
    expect(await failure(verify({ paymentPayload: value }))).toEqual(named);
    expect(await failure(verify({ ...both, from: seller }))).toEqual([
      'VALIDATION_ERROR',
      'from',
      'paymentPayload',
      'paymentRequirements',
    ]);
  });

  it('400 VALIDATION_ERROR: rejects a mix of both forms', async () => {
    const { paymentPayload, paymentRequirements } = facilitation();
    expect(await failure(verify({ paymentPayload }))).toEqual(['VALIDATION_ERROR', 'paymentRequirements']);
    expect(await failure(verify({ paymentRequirements }))).toEqual(['VALIDATION_ERROR', 'paymentPayload']);
    expect(await failure(verify({ paymentPayload, paymentRequirements, from: seller }))).toEqual([
      'VALIDATION_ERROR',
      'from',
    ]);
  });

  it('SERVICE_UNAVAILABLE: returns no verdict for an unknown outcome, and the same call resolves it later', async () => {
    const fields = authorization();
    const idempotencyKey = 'verify-later';
    await withoutLedger(async () => {
      await expect(verify(fields, { idempotencyKey })).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        retryAfterSeconds: 1,
      });
    });
    expect(await verify(fields, { idempotencyKey })).toMatchObject({ isValid: true });
  });
});

async function limit({ maxAmount, rateLimit }: { maxAmount: number; rateLimit: number }): Promise<void> {
  await harness.tee.database.query(
    'UPDATE tee.accounts SET max_amount = $2, rate_limit = $3 WHERE account = $1',
    [Buffer.from(buyer.address.slice(2), 'hex'), maxAmount, rateLimit],
  );
}

describe('POST /settle', () => {
  it('200: does not charge payments to the account of the sales, because their sale charges them', async () => {
    const to = '0:f45622fd0cd026501b1f8ca778fa0a4e8cd0518a6a5794d25e341f5b1982b604';
    const body = facilitation({ to }, requirementsOf({ payTo: to }));
    body['paymentPayload'].payload.authorization.to = to;
    expect(await settle(body)).toMatchObject({
      success: false,
      errorReason: 'invalid_payment_requirements',
    });
    expect(reasonOf(await verify(body))).toBe('invalid_payment_requirements');
    expect(reasonOf(await verify({ ...authorization({ to }), to }))).toBe('invalid_payment_requirements');
    expect(await verify({ ...authorization({ to }), to, mode: 'check' })).toMatchObject({ isValid: true });
    expect(await balance()).toMatchObject({ available: '10000', spent: '0' });
  });

  it('200: charges a held payment once', async () => {
    const body = facilitation();
    const { confirmationId } = await verify(body);
    const reply = await settle(body);
    expect(reply).toMatchObject({
      success: true,
      transaction: confirmationId,
      network: 'tvm:-239',
      payer: buyer.address,
      amount: '1000',
      extra: { confirmationId, status: 'captured', chargedAmount: '1000' },
    });
    expect(await settle(body)).toMatchObject({
      success: false,
      errorReason: 'duplicate_settlement',
      transaction: '',
      payer: buyer.address,
    });
    expect(await balance()).toMatchObject({ available: '9000', reserved: '0', spent: '1000' });
  });

  it('200: charges without a hold and returns the network as requested', async () => {
    const body = facilitation({}, requirementsOf({ network: 'ton-mainnet', asset: 'USDT' }));
    expect(await settle(body, { idempotencyKey: 'settle-once' })).toMatchObject({
      success: true,
      network: 'ton-mainnet',
    });
    // The same call gets the same reply again.
    expect(await settle(body, { idempotencyKey: 'settle-once' })).toMatchObject({ success: true });
    expect(await balance()).toMatchObject({ spent: '1000' });
  });

  it('200: charges less than the signed amount only for a maximum', async () => {
    const upTo = facilitation({ flags: 3 });
    await verify(upTo);
    const less = { paymentRequirements: requirementsOf({ amount: '300' }) };
    expect(await settle({ ...upTo, ...less })).toMatchObject({ success: true, amount: '300' });
    expect(await balance()).toMatchObject({ available: '9700', reserved: '0', spent: '300' });
    for (const body of [
      { ...facilitation(), ...less },
      { ...facilitation({ flags: 3 }), paymentRequirements: requirementsOf({ amount: '1001' }) },
    ])
      expect(await settle(body)).toMatchObject({ errorReason: 'invalid_ton_nanopay_amount_mismatch' });
  });

  it('200: releases a hold of a maximum for an amount of 0, but no other payment', async () => {
    const nothing = { paymentRequirements: requirementsOf({ amount: '0' }) };
    const upTo = facilitation({ flags: 3 });
    const { confirmationId } = await verify(upTo);
    expect(await settle({ ...upTo, ...nothing })).toMatchObject({
      success: true,
      amount: '0',
      transaction: '',
      extra: { confirmationId, status: 'voided' },
    });
    expect(await balance()).toMatchObject({ available: '10000', reserved: '0', spent: '0' });
    const fixed = facilitation();
    await verify(fixed);
    expect(await settle({ ...fixed, ...nothing })).toMatchObject({
      success: false,
      errorReason: 'invalid_ton_nanopay_amount_mismatch',
    });
    const charged = facilitation({ flags: 3 });
    await settle(charged);
    expect(await settle({ ...charged, ...nothing })).toMatchObject({
      success: false,
      errorReason: 'invalid_transaction_state',
    });
    expect(await balance()).toMatchObject({ spent: '1000', reserved: '1000' });
  });

  it('200: charges only one of fifty concurrent calls', async () => {
    const body = facilitation();
    await verify(body);
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => verdict((context) => settle(body, context))),
    );
    expect(replies.filter(({ success }) => success)).toHaveLength(1);
  });

  it('200: assigns the charge of a call without a key to one of fifty concurrent calls with a key', async () => {
    const body = facilitation();
    const first = await settle(body);
    const keyed = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        verdict((context) => settle(body, { ...context, idempotencyKey: `seller-${at}` })),
      ),
    );
    const winner = keyed.findIndex(({ success }) => success);
    expect(keyed.filter(({ success }) => success)).toEqual([first]);
    expect(new Set(keyed.map(({ errorReason }) => errorReason))).toEqual(
      new Set([undefined, 'duplicate_settlement']),
    );
    // The call of that seller gets the same reply again, but a call without a key does not.
    expect(await settle(body, { idempotencyKey: `seller-${winner}` })).toEqual(first);
    for (const context of [{}, { idempotencyKey: 'another-merchant' }])
      expect(await settle(body, context)).toMatchObject({ errorReason: 'duplicate_settlement' });
    expect(await balance()).toMatchObject({ available: '9000', spent: '1000' });
  });

  it('200: keeps the charge of a call without a key for a payment without a resource', async () => {
    const body = facilitation({ flags: 0, resourceHash: Buffer.alloc(32) });
    expect(await settle(body)).toMatchObject({ success: true });
    expect(await settle(body, { idempotencyKey: 'seller' })).toMatchObject({
      errorReason: 'duplicate_settlement',
    });
  });

  it('200: rejects an unknown version, and returns the time to wait at a limit of the payer', async () => {
    expect(await settle({ ...facilitation(), x402Version: 3 })).toMatchObject({
      success: false,
      errorReason: 'invalid_x402_version',
      transaction: '',
      network: 'tvm:-239',
    });
    await limit({ maxAmount: 100_000, rateLimit: 0 });
    expect(await settle(facilitation())).toMatchObject({
      errorReason: 'rate_limited',
      extra: { retryAfterSeconds: expect.any(Number) },
    });
  });

  it('400 VALIDATION_ERROR: returns every invalid field', async () => {
    expect(await failure(settle({ paymentPayload: [1], mode: 'check' }))).toEqual([
      'VALIDATION_ERROR',
      'mode',
      'paymentPayload',
      'paymentRequirements',
      'x402Version',
    ]);
    const large = { ...facilitation(), paymentPayload: { x402Version: 2, payload: 'x'.repeat(16_384) } };
    expect(await failure(settle(large))).toEqual(['VALIDATION_ERROR', 'paymentPayload']);
  });

  it('SERVICE_UNAVAILABLE: returns no verdict for an unknown outcome', async () => {
    const body = facilitation();
    await withoutLedger(async () => {
      expect(await failure(settle(body))).toEqual(['SERVICE_UNAVAILABLE']);
    });
    expect(await settle(body)).toMatchObject({ success: true });
  });
});

describe('GET /supported', () => {
  it('200: returns both spellings of the network and the fields for sellers', async () => {
    const extra = {
      name: 'TonNanoPay',
      version: '1',
      verifyingContract: contract,
      teeEndpoint: publicUrl,
      asset,
    };
    const kind = { x402Version: 2, scheme: 'ton-nanopay', extra };
    expect(await harness.call(getSupported, {})).toEqual({
      kinds: [
        { ...kind, network: 'ton-mainnet' },
        { ...kind, network: 'tvm:-239' },
      ],
      extensions: ['payment-identifier'],
      signers: { 'tvm:*': [contract] },
    });
  });

  it('400 VALIDATION_ERROR: rejects any field', async () => {
    expect(await failure(harness.call(getSupported, { page: '1' }))).toEqual(['VALIDATION_ERROR', 'page']);
  });
});

describe('callKey', () => {
  const keyOf = (principal: string, idempotencyKey: string | undefined, operation = 'verify') =>
    callKeyOf(
      { principal, ...(idempotencyKey && { claim: { idempotencyKey } }) } as CallContext,
      operation,
    ).toString('hex');

  it('marks a call without an Idempotency-Key', () => {
    const keys = [undefined, 'a'].map((key) => isKeylessCall(Buffer.from(keyOf('public', key), 'hex')));
    expect(keys).toEqual([true, false]);
  });

  it('differs for each call without an Idempotency-Key, and otherwise depends on caller, operation and key', () => {
    const keys = [
      keyOf('public', undefined),
      keyOf('public', undefined),
      keyOf('public', 'a'),
      keyOf('key:1:x', 'a'),
      keyOf('public', 'b'),
      keyOf('public', 'a', 'settle'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyOf('public', 'a')).toBe(keys[2]);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

it('the cases above cover each declared error', () => {
  const spec = readFileSync(__filename, 'utf8');
  expect(missingCases([verifyPayment, settlePayment, getSupported], spec)).toEqual([]);
});

it('POST /verify returns the confirmation id that the buyer can compute', async () => {
  const terms = termsOf(buyer.address, { nonce: randomBytes(32) });
  const fields = { ...authorization(), nonce: terms.nonce.toString('hex') };
  const signed = {
    validAfter: terms.validAfterS.toString(),
    validBefore: terms.validBeforeS.toString(),
    signature: signatureOf(buyer, terms).toString('base64'),
  };
  const { confirmationId } = await verify({ ...fields, ...signed });
  expect(confirmationId).toBe(confirmationIdOf(digestOf(paymentBytes(terms))));
});
