import type { EvmLog, EvmReceipt } from '@tollbridge/evm';
import { orderIdToBytes16, tollbridgePayAbi } from '@tollbridge/onchain';
import { AbiCoder, Interface, toUtf8Bytes, type InterfaceAbi } from 'ethers';
import type { OrderTerms } from '../orders/order';
import { order, orderTerms } from '../testing/order-terms';
import {
  differences,
  expectedFields,
  judgeReported,
  orderPaidTopic,
  readPayment,
  type PaymentFields,
  type ReportedTransaction,
} from './payment';

const terms = orderTerms();
const contract = terms.direct!.contractAddress;
const stranger = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const txHash = `0x${'ab'.repeat(32)}`;
const blockHash = `0x${'cd'.repeat(32)}`;

const eventInputs = new Interface(tollbridgePayAbi as InterfaceAbi).getEvent('OrderPaid')!.inputs;
// Texts as bytes: the contract writes whatever bytes it was given.
const dataTypes = eventInputs
  .filter(({ indexed }) => !indexed)
  .map(({ type }) => (type === 'string' ? 'bytes' : type));

type Fields = { [K in keyof PaymentFields]: string | Uint8Array };

/** The log that the contract writes when these fields are paid. */
function orderPaidLog(changes: Partial<Fields> = {}, of: OrderTerms = terms, logIndex = 0): EvmLog {
  const fields: Fields = { ...expectedFields(of), ...changes };
  const values = eventInputs
    .filter(({ indexed }) => !indexed)
    .map(({ name, type }) => {
      const value = fields[name as keyof PaymentFields];
      return type === 'string' && typeof value === 'string' ? toUtf8Bytes(value) : value;
    });
  return {
    address: contract.toLowerCase(),
    topics: [
      orderPaidTopic,
      `0x${'11'.repeat(32)}`,
      orderIdToBytes16(of.id).padEnd(66, '0'),
      `0x${'0'.repeat(24)}${of.payerAddress.slice(2).toLowerCase()}`,
    ],
    data: AbiCoder.defaultAbiCoder().encode(dataTypes, values),
    blockHash,
    height: 100,
    txHash,
    logIndex,
  };
}

describe('readPayment', () => {
  it('reads every field of the event', () => {
    expect(readPayment(orderPaidLog(), [contract])).toEqual({
      orderId: terms.id,
      orderHash: `0x${'11'.repeat(32)}`,
      payer: terms.payerAddress,
      fields: {
        token_in: 'USDC',
        token_out: 'USDC',
        amount_in: '1005000',
        token_in_address: terms.direct!.tokenInAddress,
        merchant: terms.merchantAddress,
        merchant_amount: '1000000',
        fee_receiver: terms.feeReceiver,
        fee_amount: '5000',
        deadline: String(terms.expiresAtMs / 1000),
      },
      height: 100,
      blockHash,
      txHash,
      logIndex: 0,
    });
  });

  it('reads amounts up to the largest', () => {
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
    ['with data that breaks off', { data: orderPaidLog().data.slice(0, -64) }],
    ['whose text lies outside of the data', { data: `0x${'f'.repeat(64)}${orderPaidLog().data.slice(66)}` }],
  ])('passes over a log %s', (_name, changes: Partial<EvmLog>) => {
    expect(readPayment({ ...orderPaidLog(), ...changes }, [contract])).toBeUndefined();
  });

  // The contract takes any bytes for the names of the tokens, from anyone, for any order id.
  it.each([
    ['no UTF-8', Uint8Array.of(0xff, 0xfe), '0xfffe'],
    ['a zero byte, which PostgreSQL refuses', toUtf8Bytes('USDC\0'), '0x5553444300'],
    ['a line break', toUtf8Bytes('USDC\n'), '0x555344430a'],
    ['a change of writing direction', toUtf8Bytes('\u202eCDSU'), '0xe280ae43445355'],
    ['half of a surrogate pair', Uint8Array.of(0xed, 0xa0, 0x80), '0xeda080'],
    ['an emoji', toUtf8Bytes('🪙'), '🪙'],
    ['nothing', new Uint8Array(), ''],
  ])('survives a token name of %s, and it differs', (_name, bytes, shown) => {
    const payment = readPayment(orderPaidLog({ token_in: bytes }), [contract])!;

    expect(payment.fields.token_in).toBe(shown);
    expect(differences(terms, payment)).toEqual([`token_in is ${shown}, not USDC`]);
  });
});

describe('differences', () => {
  it('are none when the payment is the order', () => {
    expect(differences(terms, readPayment(orderPaidLog(), [contract])!)).toEqual([]);
  });

  it.each([
    ['token_in', 'USDT'],
    ['token_in', 'usdc'],
    ['token_out', 'USDT'],
    ['amount_in', '1004999'],
    ['amount_in', '1005001'],
    ['token_in_address', '0x0000000000000000000000000000000000000000'],
    ['merchant', stranger],
    ['merchant_amount', '999999'],
    ['fee_receiver', stranger],
    ['fee_amount', '4999'],
    ['deadline', String(terms.expiresAtMs / 1000 + 1)],
  ] as [keyof PaymentFields, string][])('name %s when it is %s', (field, value) => {
    const payment = readPayment(orderPaidLog({ [field]: value }), [contract])!;

    expect(differences(terms, payment)).toEqual([
      `${field} is ${value}, not ${expectedFields(terms)[field]}`,
    ]);
  });

  it('cover every field of the event that is not indexed', () => {
    const names = eventInputs.filter(({ indexed }) => !indexed).map(({ name }) => name);

    expect(Object.keys(expectedFields(terms)).sort()).toEqual(names.sort());
  });
});

describe('judgeReported', () => {
  const sinceMs = Date.UTC(2026, 10, 20, 12, 0);
  const minute = 60_000;
  const receipt = (changes: Partial<EvmReceipt> = {}): EvmReceipt => ({
    txHash,
    blockHash,
    height: 100,
    succeeded: true,
    from: terms.payerAddress.toLowerCase(),
    to: contract.toLowerCase(),
    gasUsed: 100_000n,
    gasPriceAtomic: null,
    logs: [orderPaidLog()],
    ...changes,
  });
  const verdictOn = (changes: Partial<ReportedTransaction>) =>
    judgeReported({
      order: order(),
      receipt: receipt(),
      isKnown: true,
      confirmations: 3,
      requiredConfirmations: 3,
      sinceMs,
      nowMs: sinceMs + 1,
      ...changes,
    });
  const otherOrder = orderTerms({ id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6e' });

  describe('a transaction without a receipt', () => {
    const unmined = (isKnown: boolean, waitedMs: number, expiresAtMs = terms.expiresAtMs) =>
      verdictOn({ receipt: null, isKnown, nowMs: sinceMs + waitedMs, order: order({ expiresAtMs }) });

    it('that no node knows is waited for, for 10 minutes', () => {
      expect(unmined(false, 10 * minute - 1)).toBe('wait');
      expect(unmined(false, 10 * minute)).toEqual({
        reject: 'TX_NOT_FOUND: the reported transaction was not found within 10 minutes',
      });
    });

    it('that waits in the pool is waited for until the contract refuses it', () => {
      expect(unmined(true, 30 * minute)).toBe('wait');
      expect(unmined(true, 30 * minute + 1)).toEqual({
        reject: 'TX_NOT_MINED: the reported transaction was not mined before the order expired',
      });
    });

    it('that waits in the pool after the deadline still has its 10 minutes', () => {
      expect(unmined(true, 10 * minute - 1, sinceMs)).toBe('wait');
      expect(unmined(true, 10 * minute, sinceMs)).toMatchObject({
        reject: expect.stringMatching(/^TX_NOT_MINED/),
      });
    });
  });

  it.each([
    ['reverted', receipt({ succeeded: false, logs: [] })],
    ['pays nothing', receipt({ logs: [] })],
    ['pays another amount', receipt({ logs: [orderPaidLog({ amount_in: '1' })] })],
  ])('gives no verdict before the required depth when the transaction %s', (_name, shallow) => {
    expect(verdictOn({ receipt: shallow, confirmations: 2 })).toBe('wait');
    expect(verdictOn({ receipt: shallow, confirmations: 3 })).toMatchObject({ reject: expect.any(String) });
  });

  it('leaves a right payment to the watcher, however long that takes', () => {
    expect(verdictOn({ nowMs: sinceMs + 60 * minute })).toBe('wait');
  });

  it('leaves it to the watcher when a wrong payment of the same order stands before the right one', () => {
    const logs = [orderPaidLog({ amount_in: '1' }), orderPaidLog({}, terms, 1)];

    expect(verdictOn({ receipt: receipt({ logs }) })).toBe('wait');
  });

  it.each([
    ['TX_REVERTED: the reported transaction reverted', 'reverted', receipt({ succeeded: false, logs: [] })],
    [
      'PAYMENT_MISMATCH: merchant_amount is 999999, not 1000000',
      'pays a unit too little',
      receipt({ logs: [orderPaidLog({ merchant_amount: '999999' })] }),
    ],
    [
      'PAYS_ANOTHER_ORDER: the reported transaction pays another order',
      'pays another order',
      receipt({ logs: [orderPaidLog({}, otherOrder)] }),
    ],
    [
      'OTHER_CONTRACT: the payment was made to a contract that is not the payment contract',
      'paid a look-alike',
      receipt({ logs: [{ ...orderPaidLog(), address: stranger.toLowerCase() }] }),
    ],
    [
      'NO_PAYMENT: the reported transaction does not call the payment contract',
      'has logs of other events only',
      receipt({ logs: [{ ...orderPaidLog(), topics: [`0x${'22'.repeat(32)}`] }] }),
    ],
    [
      'NO_PAYMENT: the reported transaction does not call the payment contract',
      'has no logs',
      receipt({ logs: [] }),
    ],
  ])('says %s when the transaction %s', (reject, _name, mined) => {
    expect(verdictOn({ receipt: mined })).toEqual({ reject });
  });

  it('goes by the contract that the order was made for', () => {
    const elsewhere = order({ direct: { ...terms.direct!, contractAddress: stranger } });

    expect(verdictOn({ order: elsewhere })).toMatchObject({
      reject: expect.stringMatching(/^OTHER_CONTRACT/),
    });
  });

  it('names as many differences as fit into what events carry, and counts the rest', () => {
    const name = 'x'.repeat(128);
    const everythingElse = orderPaidLog({
      token_in: name,
      token_out: name,
      amount_in: String(2n ** 256n - 1n),
      token_in_address: stranger,
      merchant: stranger,
      merchant_amount: '1',
      fee_receiver: stranger,
      fee_amount: '1',
      deadline: '1',
    });

    const verdict = verdictOn({ receipt: receipt({ logs: [everythingElse] }) }) as { reject: string };

    expect(verdict.reject).toMatch(/^PAYMENT_MISMATCH: token_in is x{80}, not USDC; .*; and \d more$/);
    expect(verdict.reject.length).toBeLessThanOrEqual(256);
  });
});
