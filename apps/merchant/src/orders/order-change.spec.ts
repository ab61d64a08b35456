import { walletOf } from './order-change';

const [alice, bob, carol] = [
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
] as const;

it.each([
  ['the receiver, when merchant_id is not a wallet', 'shop-17', alice, null, alice],
  ['the wallet that created the order with a key, for any receiver', 'shop-17', alice, bob, bob],
  ['the wallet in merchant_id, when it is the receiver', alice.toLowerCase(), alice, null, alice],
  ['the wallet in merchant_id, when it created an order with another receiver', alice, bob, alice, alice],
  [
    'the receiver, when the wallet in merchant_id neither created the order nor is paid',
    alice,
    bob,
    null,
    bob,
  ],
  ['the receiver, when a third wallet created the order', alice, bob, carol, bob],
])('walletOf returns %s', (_name, merchant_id, merchant_address, created_by, wallet) => {
  expect(walletOf({ merchant_id, merchant_address, created_by })).toBe(wallet);
});
