import { orderIdToBytes16, tollbridgePayAbi } from '@tollbridge/onchain';
import type { PaymentFields } from '@tollbridge/chain-port';
import { AbiCoder, Interface, toUtf8Bytes, type InterfaceAbi } from 'ethers';
import type { EvmLog } from '../evm-types';
import { orderPaidTopic, readPayment } from './order-paid';

const orderId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const payer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const stranger = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const txHash = `0x${'ab'.repeat(32)}`;
const blockHash = `0x${'cd'.repeat(32)}`;
const paid: PaymentFields = {
  token_in: 'USDC',
  token_out: 'USDC',
  amount_in: '1005000',
  token_in_address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  merchant: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  merchant_amount: '1000000',
  fee_receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  fee_amount: '5000',
  deadline: '1795177800',
};

const unindexed = new Interface(tollbridgePayAbi as InterfaceAbi)
  .getEvent('OrderPaid')!
  .inputs.filter(({ indexed }) => !indexed);
// Strings are encoded as bytes, because the contract emits any bytes that it receives.
const dataTypes = unindexed.map(({ type }) => (type === 'string' ? 'bytes' : type));

type Fields = { [K in keyof PaymentFields]: string | Uint8Array };

/** The log that the contract emits when these fields are paid. */
function orderPaidLog(changes: Partial<Fields> = {}): EvmLog {
  const fields: Fields = { ...paid, ...changes };
  const values = unindexed.map(({ name, type }) => {
    const value = fields[name as keyof PaymentFields];
    return type === 'string' && typeof value === 'string' ? toUtf8Bytes(value) : value;
  });
  return {
    address: contract.toLowerCase(),
    topics: [
      orderPaidTopic,
      `0x${'11'.repeat(32)}`,
      orderIdToBytes16(orderId).padEnd(66, '0'),
      `0x${'0'.repeat(24)}${payer.slice(2).toLowerCase()}`,
    ],
    data: AbiCoder.defaultAbiCoder().encode(dataTypes, values),
    blockHash,
    height: 100,
    txHash,
    logIndex: 0,
  };
}

describe('readPayment', () => {
  it('returns every field of the event', () => {
    expect(readPayment(orderPaidLog(), [contract])).toEqual({
      orderId,
      orderHash: `0x${'11'.repeat(32)}`,
      payer,
      fields: paid,
      height: 100,
      blockHash,
      txHash,
      logIndex: 0,
    });
  });

  it('returns a field for every input of the event that is not indexed', () => {
    expect(Object.keys(paid).sort()).toEqual(unindexed.map(({ name }) => name).sort());
  });

  it('returns amounts up to the maximum', () => {
    const largest = String(2n ** 256n - 1n);
    const deadline = String(2n ** 64n - 1n);

    const payment = readPayment(orderPaidLog({ amount_in: largest, deadline }), [contract]);

    expect(payment?.fields).toMatchObject({ amount_in: largest, deadline });
  });

  it.each([
    ['of another contract', { address: stranger.toLowerCase() }],
    ['of another event', { topics: [`0x${'22'.repeat(32)}`, ...orderPaidLog().topics.slice(1)] }],
    ['without topics', { topics: [] }],
    ['with fewer topics', { topics: orderPaidLog().topics.slice(0, 3) }],
    ['with no data', { data: '0x' }],
    ['with truncated data', { data: orderPaidLog().data.slice(0, -64) }],
    ['with a string outside of its data', { data: `0x${'f'.repeat(64)}${orderPaidLog().data.slice(66)}` }],
  ])('ignores a log %s', (_name, changes: Partial<EvmLog>) => {
    expect(readPayment({ ...orderPaidLog(), ...changes }, [contract])).toBeUndefined();
  });

  // The contract accepts any bytes from any caller as the names of the tokens.
  it.each([
    ['invalid UTF-8', Uint8Array.of(0xff, 0xfe), '0xfffe'],
    ['a zero byte, which PostgreSQL rejects', toUtf8Bytes('USDC\0'), '0x5553444300'],
    ['a line break', toUtf8Bytes('USDC\n'), '0x555344430a'],
    ['a change of writing direction', toUtf8Bytes('\u202eCDSU'), '0xe280ae43445355'],
    ['half of a surrogate pair', Uint8Array.of(0xed, 0xa0, 0x80), '0xeda080'],
    ['an emoji', toUtf8Bytes('🪙'), '🪙'],
    ['nothing', new Uint8Array(), ''],
  ])('returns a token name of %s', (_name, bytes, shown) => {
    const payment = readPayment(orderPaidLog({ token_in: bytes }), [contract])!;

    expect(payment.fields).toEqual({ ...paid, token_in: shown });
  });
});
