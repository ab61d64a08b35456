import { AbiCoder, Interface, ZeroAddress } from 'ethers';
import { TronWeb } from 'tronweb';
import { tollbridgePayAbi } from '../generated/tollbridge-pay';
import { orderPaidTopic } from '../order-paid';
import { hashPaymentOrder } from '../payment-order';
import { orderUuid } from '../testing/payment-order.builder';
import {
  tronFeeReceiver,
  tronMerchant,
  tronPayer,
  tronUsdt,
  aTronOrder,
} from '../testing/tron-order.builder';
import { tronZeroAddress, tronToEvmAddress } from './address';
import {
  decodeTronOrderPaid,
  hashTronOrder,
  tronPaymentCalls,
  tronPaymentOrder,
  type TronOrder,
} from './payment';

const payContract = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy';
const contract = new Interface(tollbridgePayAbi);

describe('tronPaymentOrder', () => {
  it('contains the 20 bytes of each address', () => {
    expect(tronPaymentOrder(aTronOrder())).toMatchObject({
      token_in_address: tronToEvmAddress(tronUsdt),
      merchant: tronToEvmAddress(tronMerchant),
      fee_receiver: tronToEvmAddress(tronFeeReceiver),
      amount_in: 100_000_000n,
    });
  });

  it('contains zero addresses for TRX and for no fee receiver', () => {
    expect(tronPaymentOrder(aTronOrder({ token: null, feeReceiver: null }))).toMatchObject({
      token_in_address: ZeroAddress,
      fee_receiver: ZeroAddress,
    });
  });

  it.each<Partial<TronOrder>>([
    { orderId: 'order-1' },
    { token: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c' },
    { merchant: '0xa614f803B6FD780986A42c78Ec9c7f77e6DeD13C' },
    { feeReceiver: '' },
  ])('rejects %p', (change) => {
    expect(() => tronPaymentOrder(aTronOrder(change))).toThrow();
  });
});

describe('hashTronOrder', () => {
  it('returns the hash of the order with 20-byte addresses', () => {
    expect(hashTronOrder(aTronOrder())).toBe(hashPaymentOrder(tronPaymentOrder(aTronOrder())));
  });

  it.each<Partial<TronOrder>>([
    { orderId: '018f3b2c-7d4e-7a11-9c55-00d1e2f30416' },
    { tokenIn: 'TRX' },
    { tokenOut: 'TRX' },
    { amountIn: 1n },
    { token: null },
    { merchant: tronPayer },
    { merchantAmount: 1n },
    { feeReceiver: null },
    { feeAmount: 1n },
    { deadline: 1n },
  ])('returns another hash for %p', (change) => {
    expect(hashTronOrder(aTronOrder(change))).not.toBe(hashTronOrder(aTronOrder()));
  });
});

describe('tronPaymentCalls', () => {
  it('approves the exact amount, then pays without sending coins', () => {
    const { approval, payment } = tronPaymentCalls(aTronOrder(), tronPayer, payContract);

    expect(approval).toMatchObject({ owner: tronPayer, contract: tronUsdt, callValue: 0n });
    const parameters = ['address', 'uint256'].map((type, index) => ({
      type,
      value: [payContract, '100000000'][index],
    }));
    expect(approval!.data).toBe(`0x095ea7b3${encodedByTronweb(parameters)}`);
    expect(payment).toMatchObject({ owner: tronPayer, contract: payContract, callValue: 0n });
    const [order] = contract.decodeFunctionData('pay', payment.data);
    expect(order.toObject()).toEqual(tronPaymentOrder(aTronOrder()));
  });

  it('pays in TRX with the amount as the value of the call', () => {
    const { approval, payment } = tronPaymentCalls(aTronOrder({ token: null }), tronPayer, payContract);

    expect(approval).toBeNull();
    expect(payment.callValue).toBe(100_000_000n);
  });
});

describe('decodeTronOrderPaid', () => {
  const log = logOf(aTronOrder());

  it('returns every field with base58 addresses', () => {
    expect(decodeTronOrderPaid(log)).toEqual({
      contract: payContract,
      orderHash: hashTronOrder(aTronOrder()),
      orderId: orderUuid,
      payer: tronPayer,
      fields: {
        token_in: 'USDT',
        token_out: 'USDT',
        amount_in: '100000000',
        token_in_address: tronUsdt,
        merchant: tronMerchant,
        merchant_amount: '97000000',
        fee_receiver: tronFeeReceiver,
        fee_amount: '3000000',
        deadline: '4102444800',
      },
    });
  });

  it('returns the zero address for TRX and for no fee receiver', () => {
    const { fields } = decodeTronOrderPaid(logOf(aTronOrder({ token: null, feeReceiver: null })))!;

    expect(fields).toMatchObject({ token_in_address: tronZeroAddress, fee_receiver: tronZeroAddress });
  });

  it('returns the bytes of a string that is not UTF-8', () => {
    const data = log.data.replace(Buffer.from('USDT').toString('hex'), 'ffffffff');

    expect(decodeTronOrderPaid({ ...log, data })?.fields.token_in).toBe('0xffffffff');
  });

  it('returns undefined for other logs and for truncated data', () => {
    const transfer = contract.getEvent('OrderPaid')!.topicHash.replace(/^0x../, '00');

    expect(decodeTronOrderPaid({ ...log, topics: [transfer, ...log.topics.slice(1)] })).toBeUndefined();
    expect(decodeTronOrderPaid({ ...log, topics: log.topics.slice(0, 3) })).toBeUndefined();
    expect(decodeTronOrderPaid({ address: log.address })).toBeUndefined();
    // Only the padding of the last string may be missing.
    for (let bytes = 0; bytes < log.data.length / 2 - 32; bytes++)
      expect(decodeTronOrderPaid({ ...log, data: log.data.slice(0, bytes * 2) })).toBeUndefined();
  });
});

function logOf(order: TronOrder): { address: string; topics: string[]; data: string } {
  const fields = tronPaymentOrder(order);
  const values = { ...fields, payer: tronToEvmAddress(tronPayer), orderHash: hashTronOrder(order) };
  const { inputs } = contract.getEvent('OrderPaid')!;
  const { topics, data } = contract.encodeEventLog(
    'OrderPaid',
    inputs.map(({ name }) => values[name as keyof typeof values]),
  );
  const bare = (text: string | null) => text!.slice(2);
  const address = bare(tronToEvmAddress(payContract)).toLowerCase();
  return { address, topics: topics.map(bare), data: bare(data) };
}

function encodedByTronweb(parameters: { type: string; value: unknown }[]): string {
  const values = parameters.map(({ type, value }) =>
    type === 'address' ? `0x${TronWeb.address.toHex(String(value)).slice(2)}` : value,
  );
  return AbiCoder.defaultAbiCoder()
    .encode(
      parameters.map(({ type }) => type),
      values,
    )
    .slice(2);
}

it('decodes the topic of the contract', () => {
  expect(orderPaidTopic).toBe(contract.getEvent('OrderPaid')!.topicHash);
});
