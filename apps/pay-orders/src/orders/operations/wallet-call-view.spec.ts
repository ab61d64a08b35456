import type { WalletCall } from '@tollbridge/chain-port';
import { CreateOrderReply } from '@tollbridge/contracts';
import { decode } from '@tollbridge/rpc';
import { createdReply, walletCallView } from '../create-order';
import { anOrder } from '../testing/order.builder';

const address = 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA';
const terms = anOrder({
  payChain: 'ton',
  payToken: 'TON',
  settleChain: 'ton',
  settleToken: 'TON',
  merchantAddress: address,
  feeReceiver: address,
  payerAddress: address,
  direct: { contractAddress: 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF', tokenInAddress: 'none' },
});
const tronTransaction = { txID: 'ab'.repeat(32), raw_data_hex: '0a02', raw_data: '{}' };
const calls: WalletCall[] = [
  {
    family: 'ton',
    validUntil: 1_795_177_800,
    messages: [{ address, amount: '5', payload: 'te6c', stateInit: null }],
  },
  { family: 'solana', message: 'AQAB', transaction: 'AAEC', lastValidBlockHeight: 7 },
  { family: 'tron', approval: tronTransaction, transaction: tronTransaction },
  { family: 'sui', transactionKind: 'AAAB' },
];

it.each(calls)('walletCallView returns a call of $family only in the field of its family', (call) => {
  const view = walletCallView(call)!;
  const { family, ...fields } = view;
  const present = Object.entries(fields).filter(([, value]) => value !== null);
  expect([family, present.map(([name]) => name)]).toEqual([call.family, [call.family]]);
});

it.each(calls)('walletCallView returns a reply that matches the declaration: $family', (call) => {
  expect(decode(CreateOrderReply, createdReply(terms, null, { walletCall: call }))).toMatchObject({
    ok: true,
  });
});

it('walletCallView returns null when the chain or its nodes return no call', () => {
  expect(walletCallView(null)).toBeNull();
  expect(createdReply(terms, null).direct).toMatchObject({ wallet_call: null });
});
