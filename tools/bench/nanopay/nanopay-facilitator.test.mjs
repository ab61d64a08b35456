// The reference must not be fast by skipping checks: it must reject every payment that a facilitator has to reject.
import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { test } from 'node:test';
import { makeBuyers } from './buyers.mjs';
import { NanopayFacilitator } from './nanopay-facilitator.mjs';
import { digestOfTerms } from './payment-digest.mjs';

const raw = (byte) => `0:${byte.repeat(32)}`;
const [alice, bob] = makeBuyers(2);
const terms = { network: 'ton-mainnet', verifyingContract: raw('11') };
const requirements = { network: 'ton-mainnet', amount: '1000', asset: 'USDT', payTo: raw('22') };
const resource = { url: 'https://api.example.com/paid' };
const digestOf = digestOfTerms({ ...terms, ...requirements, method: 'GET', url: resource.url });

function paymentOf(buyer, changes = {}) {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const authorization = {
    from: buyer.address,
    to: raw('22'),
    amount: '1000',
    asset: 'USDT',
    nonce: 'ab'.repeat(32),
    validAfter: String(nowSeconds - 1),
    validBefore: String(nowSeconds + 60),
    flags: 1,
    publicKey: buyer.publicKey,
    ...changes,
  };
  const signature = sign(null, digestOf(authorization), buyer.privateKey).toString('base64');
  return { payload: { authorization, signature, signatureKind: 'raw' }, resource };
}

const facilitator = () => new NanopayFacilitator([alice, bob], terms);

async function expectRejected(payment, reason) {
  const verified = await facilitator().verify(payment, requirements);
  assert.deepEqual([verified.isValid, verified.invalidReason], [false, reason]);
  const settled = await facilitator().settle(payment, requirements);
  assert.deepEqual([settled.success, settled.errorReason], [false, reason]);
}

test('a valid payment is verified, and settled once', async () => {
  const one = facilitator();
  const payment = paymentOf(alice);
  assert.equal((await one.verify(payment, requirements)).isValid, true);
  const settled = await one.settle(payment, requirements);
  assert.equal(settled.success, true);
  assert.equal(settled.payer, alice.address);
  assert.equal((await one.settle(payment, requirements)).errorReason, 'duplicate_settlement');
  assert.equal((await one.verify(payment, requirements)).invalidReason, 'duplicate_settlement');
  assert.equal(one.payments.size, 1);
});

test('a settlement without a verification checks the signature too', async () => {
  const one = facilitator();
  assert.equal((await one.settle(paymentOf(alice), requirements)).success, true);
});

test('a payment that was forged or modified after signing is rejected', async () => {
  const forged = paymentOf(bob, { from: alice.address, publicKey: alice.publicKey });
  await expectRejected(forged, 'invalid_ton_nanopay_signature');
  const renewed = paymentOf(alice);
  renewed.payload.authorization.nonce = 'cd'.repeat(32);
  await expectRejected(renewed, 'invalid_ton_nanopay_signature');
  await expectRejected(
    { ...paymentOf(alice), resource: { url: 'https://api.example.com/dearer' } },
    'invalid_ton_nanopay_signature',
  );
});

test('a verified payment cannot be replaced before it is settled', async () => {
  const one = facilitator();
  await one.verify(paymentOf(alice), requirements);
  const exchanged = paymentOf(alice);
  exchanged.payload.authorization.validBefore = String(
    Number(exchanged.payload.authorization.validBefore) + 9,
  );
  assert.equal((await one.settle(exchanged, requirements)).errorReason, 'invalid_ton_nanopay_signature');
});

test('other terms, times and keys are rejected', async () => {
  await expectRejected(paymentOf(alice, { to: raw('33') }), 'invalid_ton_nanopay_recipient_mismatch');
  await expectRejected(paymentOf(alice, { amount: '999' }), 'invalid_ton_nanopay_amount_mismatch');
  await expectRejected(paymentOf(alice, { asset: raw('44') }), 'invalid_ton_nanopay_asset_mismatch');
  await expectRejected(paymentOf(alice, { validBefore: '1000' }), 'invalid_ton_nanopay_valid_before');
  await expectRejected(paymentOf(alice, { validAfter: '99999999999' }), 'invalid_ton_nanopay_valid_after');
  await expectRejected(paymentOf(alice, { publicKey: bob.publicKey }), 'invalid_ton_nanopay_unknown_key');
  await expectRejected(paymentOf(alice, { flags: 3 }), 'invalid_payload');
});
