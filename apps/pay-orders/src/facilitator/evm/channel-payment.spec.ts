import type { Json } from '../field-forms';
import type { FieldError } from '@tollbridge/rpc';
import { readChannelPayment, type ChannelPayment } from './channel-payment';

const network = 'eip155:8453';
const address = (digits: string) => `0x${digits.repeat(20)}`;
const requirements = {
  scheme: 'batch-settlement',
  network,
  asset: address('aA'),
  payTo: address('bB'),
  amount: '1000',
};
const signature = `0x${'11'.repeat(65)}`;
const channelConfig = {
  payer: address('cC'),
  payerAuthorizer: address('cC'),
  receiver: address('bB'),
  receiverAuthorizer: address('dD'),
  token: address('aA'),
  withdrawDelay: 900,
  salt: `0x${'00'.repeat(32)}`,
};
const voucher = { channelId: `0x${'12'.repeat(32)}`, maxClaimableAmount: '1000', signature };
const erc3009Authorization = {
  validAfter: '0',
  validBefore: '1900000000',
  salt: `0x${'34'.repeat(32)}`,
  signature,
};
const deposit = {
  type: 'deposit',
  channelConfig,
  voucher,
  deposit: { amount: '10000', authorization: { erc3009Authorization } },
};
const claim = (totalClaimed: string, salt = '00') => ({
  voucher: {
    channel: { ...channelConfig, salt: `0x${salt.repeat(32)}` },
    maxClaimableAmount: totalClaimed,
  },
  signature,
  totalClaimed,
});
const refund = {
  type: 'refund',
  channelConfig,
  voucher,
  amount: '500',
  refundNonce: '0',
  claims: [claim('1000')],
};
const read = (payload: Json, changes: Json = {}) =>
  readChannelPayment(network, { payload }, { ...requirements, ...changes });

const readValid = (payload: Json) => (read(payload) as ChannelPayment).authorization;
const namedBy = (payload: Json, changes: Json = {}) =>
  (read(payload, changes) as FieldError[]).map(({ field }) => field);

describe('readChannelPayment', () => {
  it('identifies a deposit by the nonce that the collector derives', () => {
    expect(read(deposit)).toMatchObject({
      action: 'deposit',
      authorization: {
        contract: address('aa'),
        payer: address('cc'),
        nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        amountAtomic: 10_000n,
        validBefore: 1_900_000_000,
      },
    });
    const other = structuredClone(deposit);
    other.deposit.authorization.erc3009Authorization.salt = `0x${'35'.repeat(32)}`;
    expect(readValid(other).nonce).not.toBe(readValid(deposit).nonce);
  });

  it('identifies claims by channels and totals, in any order', () => {
    const nonceOf = (...claims: object[]) => readValid({ type: 'claim', claims }).nonce;
    expect(nonceOf(claim('1'), claim('2', '01'))).toBe(nonceOf(claim('2', '01'), claim('1')));
    expect(nonceOf(claim('1'))).not.toBe(nonceOf(claim('2')));
    expect(nonceOf(claim('1'))).not.toBe(nonceOf(claim('1', '01')));
  });

  it('identifies a refund by channel and refund nonce', () => {
    const { nonce, payer } = readValid(refund);
    expect([nonce, payer]).toEqual([expect.stringMatching(/^refund:0x[0-9a-f]{64}:0$/), address('bb')]);
  });

  it('only verifies a voucher, and the refund request of a buyer', () => {
    const { refundNonce: _nonce, claims: _claims, amount: _amount, ...asked } = refund;
    for (const payload of [{ type: 'voucher', channelConfig, voucher }, asked])
      expect(read(payload)).toMatchObject({ action: 'voucher' });
  });

  const rejected: [string, Json, Json?][] = [
    ['another type', { ...deposit, type: 'withdraw' }],
    ['a type of the prototype', { ...deposit, type: 'constructor' }],
    ['a deposit of nothing', { ...deposit, deposit: { ...deposit.deposit, amount: '0' } }],
    ['a deposit without authorization', { ...deposit, deposit: { amount: '1', authorization: {} } }],
    [
      'a deposit with two authorizations',
      {
        ...deposit,
        deposit: { amount: '1', authorization: { erc3009Authorization, permit2Authorization: {} } },
      },
    ],
    ['a deposit for another receiver', deposit, { payTo: address('ee') }],
    ['a deposit of another token', deposit, { asset: address('ee') }],
    ['a delay as text', { ...deposit, channelConfig: { ...channelConfig, withdrawDelay: '900' } }],
    [
      'a voucher above 128 bits',
      { ...deposit, voucher: { ...voucher, maxClaimableAmount: `${2n ** 128n}` } },
    ],
    ['no claims', { type: 'claim', claims: [] }],
    ['too many claims', { type: 'claim', claims: Array(33).fill(claim('1')) }],
    ['claims of another seller', { type: 'claim', claims: [claim('1')] }, { payTo: address('ee') }],
    ['a payout to another receiver', { type: 'settle', receiver: address('ee'), token: address('aA') }],
    ['a payout of another token', { type: 'settle', receiver: address('bB'), token: address('ee') }],
    ['a refund that claims another channel', { ...refund, claims: [claim('1', '01')] }],
    ['a refund of nothing', { ...refund, amount: '0' }],
  ];
  it.each(rejected.map(([name, payload, changes = {}]) => ({ name, payload, changes })))(
    'rejects $name',
    ({ payload, changes }) => {
      expect(namedBy(payload, changes)).not.toEqual([]);
    },
  );

  const signed = 'paymentPayload.payload';
  it.each<[string, Json, string[]]>([
    ['an unknown type', { type: 'withdraw' }, [`${signed}.type`]],
    [
      'a voucher without channel and signature',
      { type: 'voucher', channelConfig: null, voucher: { ...voucher, signature: '0x' } },
      [`${signed}.channelConfig`, `${signed}.voucher.signature`],
    ],
    [
      'an authorization of a deposit',
      {
        ...deposit,
        deposit: {
          amount: '1',
          authorization: { erc3009Authorization: { ...erc3009Authorization, salt: 1 } },
        },
      },
      [`${signed}.deposit.authorization.erc3009Authorization.salt`],
    ],
    [
      'the second claim',
      { type: 'claim', claims: [claim('1'), { ...claim('2'), totalClaimed: -1 }] },
      [`${signed}.claims[1].totalClaimed`],
    ],
    ['a payout without its token', { type: 'settle', receiver: address('bB') }, [`${signed}.token`]],
  ])('returns the malformed fields of %s', (_name, payload, fields) => {
    expect(namedBy(payload)).toEqual(fields);
  });
});
