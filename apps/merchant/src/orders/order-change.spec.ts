import { walletOf } from './order-change';

const [alice, bob, carol] = [
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
] as const;

it.each([
  ['whom it pays, when nobody is named', 'shop-17', alice, null, alice],
  ['who made it with a key, whoever is paid', 'shop-17', alice, bob, bob],
  ['the named wallet that is paid', alice.toLowerCase(), alice, null, alice],
  ['the named wallet that made it and lets another address be paid', alice, bob, alice, alice],
  ['not the named wallet that neither made it nor is paid', alice, bob, null, bob],
  ['not the named wallet of another than its maker', alice, bob, carol, bob],
])('is that of %s', (_name, merchant_id, merchant_address, created_by, wallet) => {
  expect(walletOf({ merchant_id, merchant_address, created_by })).toBe(wallet);
});
