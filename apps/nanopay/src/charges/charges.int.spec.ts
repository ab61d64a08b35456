import { nanoChargesApi, type SettleReply, type VoidReply } from '@tollbridge/contracts';
import { asset, contract, seller, type Buyer } from '@tollbridge/app-tee/testing';
import { eventually } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import {
  authorizationOf,
  NanopayHarness,
  requirementsOf,
  signatureOf,
  termsOf,
  url,
} from '../testing/nanopay-harness';

const { chargeOffers, chargePayment, voidCharge } = nanoChargesApi.operations;
let harness: NanopayHarness;

beforeAll(async () => {
  harness = await NanopayHarness.start();
});
afterAll(() => harness?.close());

const newKey = () => randomBytes(16).toString('hex');

function paymentOf(buyer: Buyer, changes: Parameters<typeof termsOf>[1] = {}) {
  const terms = termsOf(buyer.address, changes);
  const accepted = requirementsOf({ amount: terms.amountAtomic.toString(), maxTimeoutSeconds: 300 });
  const authorization = authorizationOf(buyer, terms);
  const payload = { authorization, signature: signatureOf(buyer, terms).toString('hex') };
  return {
    paymentPayload: { x402Version: 2, accepted, payload, resource: { url } },
    paymentRequirements: accepted,
  };
}

const charge = (payment: object, callKey: string): Promise<SettleReply> =>
  harness.call(chargePayment, { ...payment, callKey });
const cancel = (payment: object, callKey: string): Promise<VoidReply> =>
  harness.call(voidCharge, { ...payment, callKey });

it('chargeOffers returns the same offers as the paywall', async () => {
  const { offers } = await harness.call<unknown, { offers: object[] }>(chargeOffers as never, {
    payTo: seller,
    method: 'POST',
  });
  const extra = { verifyingContract: contract, method: 'POST' };
  expect(offers).toMatchObject([
    { scheme: 'ton-nanopay', network: 'ton-mainnet', asset: 'USDT', payTo: seller, extra },
    { scheme: 'ton-nanopay', network: 'tvm:-239', asset, payTo: seller, extra },
  ]);
});

describe('a charge', () => {
  it('charges once for a call key, and rejects another call key as a duplicate', async () => {
    const payment = paymentOf(await harness.funded());
    const key = newKey();
    // One of many concurrent calls may end with an unknown outcome, and the same call is then repeated.
    const known = () => eventually(() => charge(payment, key));
    const replies = await Promise.all(Array.from({ length: 20 }, known));
    for (const reply of replies) expect(reply).toMatchObject({ success: true, amount: '1000' });
    expect(await charge(payment, newKey())).toMatchObject({ errorReason: 'duplicate_settlement' });
  });

  it('rejects a payer without balance, another amount or receiver, and an empty payload', async () => {
    const payment = paymentOf(await harness.funded(1n));
    expect(await charge(payment, newKey())).toMatchObject({
      success: false,
      errorReason: 'insufficient_funds',
    });
    const funded = paymentOf(await harness.funded());
    for (const changes of [{ amount: '999' }, { payTo: contract }, { network: 'eip155:1' }]) {
      const paymentRequirements = { ...funded.paymentRequirements, ...changes };
      expect(await charge({ ...funded, paymentRequirements }, newKey())).toMatchObject({ success: false });
    }
    expect(await charge({ ...funded, paymentPayload: {} }, newKey())).toMatchObject({ success: false });
  });
});

describe('a refund', () => {
  it('returns a charge once to its payer, only with the key of the charge', async () => {
    const buyer = await harness.funded();
    const payment = paymentOf(buyer);
    const key = newKey();
    await charge(payment, key);
    expect(await cancel(payment, newKey())).toEqual({ outcome: 'none' });
    expect(await cancel(payment, key)).toEqual({ outcome: 'refunded' });
    expect(await cancel(payment, key)).toEqual({ outcome: 'refunded' });
    // The refunded amount can be spent again, but only once.
    expect(await charge(paymentOf(buyer, { amountAtomic: 10_000n }), newKey())).toMatchObject({
      success: true,
    });
    expect(await charge(payment, key)).toMatchObject({ success: false });
  });

  it('refunds nothing for a payment that was not charged', async () => {
    expect(await cancel(paymentOf(await harness.funded()), newKey())).toEqual({ outcome: 'none' });
    expect(await cancel({ paymentPayload: {}, paymentRequirements: {} }, newKey())).toEqual({
      outcome: 'none',
    });
  });
});
