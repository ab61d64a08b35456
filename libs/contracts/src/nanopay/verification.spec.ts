import { decode } from '@tollbridge/rpc';
import { FacilitatedPaymentRequest } from '../pay-orders/facilitator.api';
import { NanoVerifyRequest } from './verification.api';

/** The extensions that official clients repeat from a 402 of an official seller with a bazaar declaration. */
const text = { type: 'string' };
const example = { type: 'object', properties: { message: text }, required: ['message'] };
const output = { type: 'object', properties: { type: text, example }, required: ['type'] };
const extensions = { bazaar: { info: {}, schema: { type: 'object', properties: { output } } } };
const paymentPayload = { x402Version: 2, accepted: {}, payload: {}, extensions };
const body = { paymentPayload, paymentRequirements: { scheme: 'exact' } };

describe('the body of a facilitator', () => {
  it('accepts a payload with the JSON schema of a bazaar declaration', () => {
    expect(decode(NanoVerifyRequest, { x402Version: 2, ...body })).toMatchObject({ ok: true });
    expect(decode(FacilitatedPaymentRequest, body)).toMatchObject({ ok: true });
  });

  it('rejects a payload that is nested too deeply, or larger than a header', () => {
    let deep: object = {};
    for (let level = 0; level < 21; level++) deep = { deep };
    const large = { text: 'x'.repeat(16_384) };
    for (const invalid of [deep, large])
      expect(decode(FacilitatedPaymentRequest, { ...body, paymentPayload: invalid })).toMatchObject({
        ok: false,
      });
  });
});
