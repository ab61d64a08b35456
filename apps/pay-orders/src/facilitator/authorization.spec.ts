import { readAuthorization, type Json } from './authorization';

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
  it('reads a transfer of EIP-3009 in canonical form', () => {
    expect(read({ authorization, signature })).toMatchObject({
      contract: address('aa'),
      payer: address('cc'),
      nonce: `0x${'ee'.repeat(32)}`,
      amountAtomic: 1_000n,
      validBefore: 1_900_000_000,
      paymentId: null,
    });
  });

  it('reads a permit and takes its nonce for one of Permit2', () => {
    expect(read({ permit2Authorization: permit, signature })).toMatchObject({
      contract: '0x000000000022d473030f116ddee9f6b43ac78ba3',
      nonce: `0x${'0102'.padStart(64, '0')}`,
    });
  });

  it('has one hash for equal values in another order, and another one for each other value', () => {
    const hash = (payload: Json, changes?: Json) => read(payload, changes)!.payloadHash;
    expect(hash({ signature, authorization })).toBe(hash({ authorization, signature }));
    expect(hash({ authorization, signature: `0x${'12'.repeat(65)}` })).not.toBe(
      hash({ authorization, signature }),
    );
    expect(hash({ authorization, signature }, { amount: '1001' })).not.toBe(
      hash({ authorization, signature }),
    );
  });

  it.each<[string, Json, Json]>([
    ['no signature', { authorization }, {}],
    ['a signature without bytes', { authorization, signature: '0x' }, {}],
    ['a short nonce', { authorization: { ...authorization, nonce: '0x01' }, signature }, {}],
    ['a numeric amount', { authorization: { ...authorization, value: 1000 }, signature }, {}],
    ['a hexadecimal amount', { authorization: { ...authorization, value: '0x3e8' }, signature }, {}],
    ['an amount with a leading zero', { authorization, signature }, { amount: '01000' }],
    ['an amount above 2^256', { authorization, signature }, { amount: '9'.repeat(78) }],
    ['a payer that is no address', { authorization: { ...authorization, from: 'me' }, signature }, {}],
    ['a permit without a witness', { permit2Authorization: { ...permit, witness: null }, signature }, {}],
    ['a transfer for upto', { authorization, signature }, { scheme: 'upto' }],
    ['another scheme', { authorization, signature }, { scheme: 'batch-settlement' }],
  ])('rejects %s', (_name, payload, changes) => {
    expect(read(payload, changes)).toBeUndefined();
  });

  it.each([
    ['pay_0123456789abcdef', 'pay_0123456789abcdef'],
    ['short', undefined],
    ['with spaces and more', undefined],
    [17, undefined],
  ])('reads the payment identifier %j', (id, expected) => {
    const found = read({ authorization, signature }, {}, { 'payment-identifier': { info: { id } } });
    expect(found?.paymentId).toBe(expected);
  });
});
