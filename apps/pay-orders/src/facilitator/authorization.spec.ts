import type { FieldError } from '@tollbridge/rpc';
import { describeDifference, readAuthorization, type Authorization } from './authorization';
import type { Json } from './field-forms';

const address = (digits: string) => `0x${digits.repeat(20)}`;
const requirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: address('aA'),
  payTo: address('bB'),
  amount: '1000',
};
const authorization = {
  from: address('cC'),
  to: address('bB'),
  value: '1000',
  validAfter: '0',
  validBefore: '1900000000',
  nonce: `0x${'Ee'.repeat(32)}`,
};
const permit = {
  from: address('cC'),
  permitted: { token: address('aA'), amount: '1000' },
  spender: address('dD'),
  nonce: '258',
  deadline: '1900000000',
  witness: { to: address('bB'), validAfter: '0' },
};
const signature = `0x${'11'.repeat(65)}`;
const read = (payload: Json, changes: Json = {}, extensions?: Json) =>
  readAuthorization({ payload, extensions }, { ...requirements, ...changes });

describe('readAuthorization', () => {
  it('parses a transfer of EIP-3009 in canonical form', () => {
    expect(read({ authorization, signature })).toMatchObject({
      contract: address('aa'),
      payer: address('cc'),
      nonce: `0x${'ee'.repeat(32)}`,
      amountAtomic: 1_000n,
      validBefore: 1_900_000_000,
      paymentId: null,
    });
  });

  it('parses a permit, and uses its nonce as the nonce of Permit2', () => {
    expect(read({ permit2Authorization: permit, signature })).toMatchObject({
      contract: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      nonce: `0x${'0102'.padStart(64, '0')}`,
    });
  });

  it('returns the same hash for equal values in another order, and another hash for each other value', () => {
    const hash = (payload: Json, changes?: Json) => (read(payload, changes) as Authorization).payloadHash;
    expect(hash({ signature, authorization })).toBe(hash({ authorization, signature }));
    expect(hash({ authorization, signature: `0x${'12'.repeat(65)}` })).not.toBe(
      hash({ authorization, signature }),
    );
    expect(hash({ authorization, signature }, { amount: '1001' })).not.toBe(
      hash({ authorization, signature }),
    );
  });

  const signed = 'paymentPayload.payload';
  const changed = (changes: Json) => ({ authorization: { ...authorization, ...changes }, signature });
  it.each<[string, unknown, Json, string[]]>([
    ['no payload', undefined, {}, [signed]],
    ['an empty payload', {}, {}, [`${signed}.signature`, `${signed}.authorization`]],
    ['no signature', { authorization }, {}, [`${signed}.signature`]],
    ['a signature without bytes', { authorization, signature: '0x' }, {}, [`${signed}.signature`]],
    ['a short nonce', changed({ nonce: '0x01' }), {}, [`${signed}.authorization.nonce`]],
    ['a numeric amount', changed({ value: 1000 }), {}, [`${signed}.authorization.value`]],
    ['a hexadecimal amount', changed({ value: '0x3e8' }), {}, [`${signed}.authorization.value`]],
    ['a negative amount', changed({ value: '-1' }), {}, [`${signed}.authorization.value`]],
    ['an amount with a leading zero', changed({}), { amount: '01000' }, ['paymentRequirements.amount']],
    ['a decimal amount', changed({}), { amount: '1.5' }, ['paymentRequirements.amount']],
    ['an amount above 2^256', changed({}), { amount: '9'.repeat(78) }, ['paymentRequirements.amount']],
    ['a payer that is not an address', changed({ from: 'me' }), {}, [`${signed}.authorization.from`]],
    [
      'two malformed fields',
      changed({ validAfter: 0, validBefore: '' }),
      {},
      [`${signed}.authorization.validAfter`, `${signed}.authorization.validBefore`],
    ],
    [
      'a permit without a witness',
      { permit2Authorization: { ...permit, witness: null }, signature },
      {},
      [`${signed}.permit2Authorization.witness`],
    ],
    [
      'a permit without a token',
      { permit2Authorization: { ...permit, permitted: { amount: '1' } }, signature },
      {},
      [`${signed}.permit2Authorization.permitted.token`],
    ],
    ['a transfer for upto', changed({}), { scheme: 'upto' }, [`${signed}.permit2Authorization`]],
    ['another scheme', changed({}), { scheme: 'batch-settlement' }, ['paymentRequirements.scheme']],
  ])('rejects %s, and returns the field names', (_name, payload, changes, fields) => {
    const errors = read(payload as Json, changes) as FieldError[];
    expect(errors.map(({ field }) => field)).toEqual(fields);
  });

  it.each([
    ['pay_0123456789abcdef', 'pay_0123456789abcdef'],
    ['short', undefined],
    ['with spaces and more', undefined],
    [17, undefined],
  ])('reads the payment identifier %j', (id, expected) => {
    const found = read({ authorization, signature }, {}, { 'payment-identifier': { info: { id } } });
    const identifier = 'paymentPayload.extensions.payment-identifier.info.id';
    if (expected === undefined) expect(found).toMatchObject([{ field: identifier }]);
    else expect(found).toMatchObject({ paymentId: expected });
  });
});

describe('describeDifference', () => {
  it('returns the fields that differ from the terms that the buyer accepted', () => {
    expect(describeDifference({ ...requirements }, requirements)).toBeUndefined();
    const other = { ...requirements, payTo: address('ee'), amount: '1001' };
    expect(describeDifference(other, requirements)).toMatch(/ in payTo, amount\.$/);
    expect(describeDifference(undefined, requirements)).toMatch(/accepted must be an object/);
  });

  it('allows less than the accepted amount, except with exact', () => {
    const upto = { ...requirements, scheme: 'upto' };
    expect(describeDifference(upto, { ...upto, amount: '1' })).toBeUndefined();
  });
});
