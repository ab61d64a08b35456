import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hexlify } from 'ethers';
import type { PaymentOrder } from '../payment-order';
import { moveTerms } from '../testing/move-order';
import { runMoveTests } from '../testing/run-move-tests';
import { suiPayer, suiContract, aSuiOrder } from '../testing/sui-order.builder';
import {
  decodeSuiOrderPaid,
  encodeSuiOrderPaid,
  hashSuiOrder,
  suiCreatedObjectId,
  suiOrderPaidType,
  suiPayAborts,
} from './sui-order';

const { packageId } = suiContract;
const moveFolder = join(__dirname, '../../sui');
const max = 2n ** 64n - 1n;
// Types of the Move tests, which publish their package at this address.
const types = [
  `${packageId}::scene::USDC`,
  `${packageId}::scene::FAKE`,
  `${packageId}::parity::Pool<${packageId}::scene::USDC,${packageId}::parity::Pool<u8,vector<address>>>`,
];

/** Orders with every extreme value, and pseudo-random orders from a fixed seed. */
function sampleOrders(): PaymentOrder[] {
  const bytes = (seed: string) => createHash('sha256').update(seed).digest();
  const random = Array.from({ length: 20 }, (_, index): PaymentOrder => {
    const seed = bytes(`order ${index}`);
    const merchantAmount = seed.readBigUInt64LE(0) / 4n + 1n;
    const feeAmount = index % 3 === 0 ? 0n : seed.readBigUInt64LE(8) / 4n;
    return aSuiOrder({
      order_id: hexlify(seed.subarray(0, 16)),
      token_in: 'USDC €'.slice(0, index % 7),
      token_out: 'x'.repeat(index * 6),
      amount_in: merchantAmount + feeAmount,
      token_in_address: types[index % types.length]!,
      merchant: hexlify(bytes(`merchant ${index}`)),
      merchant_amount: merchantAmount,
      fee_receiver: hexlify(bytes(`fee receiver ${index}`)),
      fee_amount: feeAmount,
      deadline: max - BigInt(index),
    });
  });
  const largest = aSuiOrder({ amount_in: max, merchant_amount: 1n, fee_amount: max - 1n, deadline: max });
  const noFee = aSuiOrder({
    amount_in: 1n,
    merchant_amount: 1n,
    fee_amount: 0n,
    fee_receiver: `0x${'0'.repeat(64)}`,
  });
  return [...random, ...[largest, noFee].map((order) => ({ ...order, token_in_address: types[0]! }))];
}

/** A Move test that pays the order and compares its hash and event with the values of this library. */
function parityTest(order: PaymentOrder, index: number): string {
  const orderHash = hashSuiOrder(order);
  const event = hexlify(encodeSuiOrderPaid({ orderHash, payer: suiPayer, order }));
  const type = order.token_in_address.replaceAll(packageId, 'tollbridge');
  return `
#[test]
fun order_${index}() {
    let mut scenario = scene::publish();
    let terms = ${moveTerms(order)};
    assert!(scene::hash<${type}>(terms) == x"${orderHash.slice(2)}");
    scene::pay<${type}>(&mut scenario, terms);
    assert!(bcs::to_bytes(&event::events_by_type<OrderPaid>()[0]) == x"${event.slice(2)}");
    assert!(scene::is_recorded(&mut scenario, x"${orderHash.slice(2)}"));
    scenario.end();
}`;
}

// The test scenario publishes the package in a transaction with the digest 0. Its first object is the registry.
const registryId = suiCreatedObjectId(new Uint8Array(32), 0);

const registryTest = `
#[test]
fun registry_id() {
    let mut scenario = scene::publish();
    assert!(scene::registry_address(&mut scenario) == @${registryId});
    scenario.end();
}`;

describe('Sui order', () => {
  it('has the same hash and event as the module, and the same id of a created registry', () => {
    const orders = sampleOrders();
    const module = `#[test_only]
module tollbridge::parity;
use std::bcs;
use sui::event;
use tollbridge::pay::OrderPaid;
use tollbridge::scene;
public struct Pool<phantom A, phantom B> has drop {}
${orders.map(parityTest).join('\n')}${registryTest}`;
    const scene = readFileSync(join(moveFolder, 'tests/scene.move'), 'utf8');
    const tests = { 'tests/scene.move': scene, 'tests/parity.move': module };
    const { passed, failed, output } = runMoveTests({ tests });
    if (failed.length > 0) throw new Error(output);
    expect(passed).toHaveLength(orders.length + 1);
  });

  it('rejects numbers, addresses and types that the module would reject', () => {
    const rejected = (changes: Partial<PaymentOrder>) => () => hashSuiOrder(aSuiOrder(changes));
    expect(rejected({ amount_in: max + 1n })).toThrow('64 bits');
    expect(rejected({ deadline: -1n })).toThrow('64 bits');
    expect(rejected({ merchant: 'beef1' })).toThrow('Not an address of Sui');
    expect(rejected({ merchant: `0x1${'0'.repeat(64)}` })).toThrow('Not an address of Sui');
    for (const type of [
      '',
      'SUI',
      '0x2::sui',
      '0x2::sui::SUI>',
      '0x2::sui::SUI<u8',
      '0x2::sui::SUI<>',
      'vector<>',
    ])
      expect(rejected({ token_in_address: type })).toThrow('Not a type of Move');
    expect(rejected({ token_in_address: 'vector<'.repeat(5000) })).toThrow('nested too deeply');
  });

  it('returns one hash for all notations of its addresses', () => {
    const order = aSuiOrder({ merchant: '0xbeef1', token_in_address: '0x2::sui::SUI' });
    const long = {
      merchant: `0x${'BEEF1'.padStart(64, '0')}`,
      token_in_address: `0x${'2'.padStart(64, '0')}::sui::SUI`,
    };
    expect(hashSuiOrder({ ...order, ...long })).toBe(hashSuiOrder(order));
  });
});

describe('OrderPaid of Sui', () => {
  const order = aSuiOrder();
  const payment = { orderHash: hashSuiOrder(order), payer: suiPayer, order };

  it('decodes an event with every field', () => {
    expect(decodeSuiOrderPaid(encodeSuiOrderPaid(payment))).toEqual(payment);
  });

  it('rejects an event at every other length', () => {
    const bytes = encodeSuiOrderPaid(payment);
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeSuiOrderPaid(bytes.subarray(0, length))).toThrow();
    expect(() => decodeSuiOrderPaid(Uint8Array.from([...bytes, 0]))).toThrow('after the value');
  });

  it('rejects an event with a malformed hash, id, text or length', () => {
    const bytes = encodeSuiOrderPaid(payment);
    const changed = (offset: number, byte: number) => () =>
      decodeSuiOrderPaid(Uint8Array.from(bytes).fill(byte, offset, offset + 1));
    expect(changed(0, 31)).toThrow('Not an OrderPaid event');
    expect(changed(33, 15)).toThrow('Not an OrderPaid event');
    // token_in is "USDC" and follows hash, id and payer.
    expect(changed(83, 0xff)).toThrow();
    expect(() => decodeSuiOrderPaid(Uint8Array.from([0x80, 0x00]))).toThrow('not canonical');
    expect(() => decodeSuiOrderPaid(Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0x7f]))).toThrow(
      'not canonical',
    );
  });

  it('returns a canonical type', () => {
    expect(suiOrderPaidType({ packageId: '0xA' })).toBe(`0x${'a'.padStart(64, '0')}::pay::OrderPaid`);
  });
});

describe('suiPayAborts', () => {
  it('lists the abort codes of the module', () => {
    const source = readFileSync(join(moveFolder, 'sources/pay.move'), 'utf8');
    const constants = [...source.matchAll(/const (E\w+): u64 = (\d+);/g)].map(([, name, code]) => [
      code,
      name,
    ]);
    expect(Object.fromEntries(constants)).toEqual(suiPayAborts);
  });
});
