import type { EvmTransaction } from '@tollbridge/evm';
import { linkNamedBy, referenceOf } from './reference';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const receiver = '0x1111111111111111111111111111111111111111';
const ofToken = { tokenAddress: usdc, receiveAddress: receiver };
const ofCoin = { tokenAddress: null, receiveAddress: receiver };
const call = `0xa9059cbb${'0'.repeat(128)}`;
const sent = (to: string | null, data: string): EvmTransaction => ({
  hash: `0x${'a'.repeat(64)}`,
  from: receiver,
  to: to && to.toLowerCase(),
  nonce: 1,
  valueAtomic: 0n,
  data,
  blockHash: null,
  height: null,
});
const appended = call + referenceOf(id).slice(2);

it('referenceOf writes the reference of a link in 20 bytes', () => {
  expect(referenceOf(id.toUpperCase())).toBe('0x7462706c0198f3a27c5e7d419a553f0e2c1b4a6d');
});

it.each([
  ['a call of the token that ends with the reference', sent(usdc, appended), ofToken, id],
  ['a transfer of the coin with the reference as data', sent(receiver, referenceOf(id)), ofCoin, id],
  ['a call without a reference', sent(usdc, call), ofToken, undefined],
  ['a reference that is cut short', sent(usdc, appended.slice(0, -2)), ofToken, undefined],
  ['a reference that is not at the end', sent(usdc, `${appended}00`), ofToken, undefined],
  [
    'a call of another contract, such as that of a relayer',
    sent(`0x${'2'.repeat(40)}`, appended),
    ofToken,
    undefined,
  ],
  [
    'a transfer that the payer authorised and another account sent (EIP-3009)',
    sent(usdc, appended.replace(call, `0xe3ee160e${'0'.repeat(576)}`)),
    ofToken,
    undefined,
  ],
  [
    'a transfer by an account with an allowance',
    sent(usdc, appended.replace(call, `0x23b872dd${'0'.repeat(192)}`)),
    ofToken,
    undefined,
  ],
  ['a call of the receiver by a link of a token', sent(receiver, appended), ofToken, undefined],
  ['the creation of a contract', sent(null, appended), ofToken, undefined],
])('linkNamedBy reads %s', (_title, transaction, link, expected) => {
  expect(linkNamedBy(transaction, link)).toBe(expected);
});
