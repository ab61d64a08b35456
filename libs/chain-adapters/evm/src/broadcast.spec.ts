import { broadcast } from './broadcast';
import { RpcError, type RpcErrorKind } from './rpc-error';
import type { EvmRpc } from './rpc-pool';

const answering = (nodeMessage: string, kind: RpcErrorKind = 'rejected') =>
  ({
    call: () => {
      const reason = kind === 'rejected' ? 'nodeError' : 'connection';
      throw new RpcError({ kind, reason, endpoint: 'test', text: nodeMessage, nodeMessage });
    },
  }) as unknown as EvmRpc;

// Error messages of geth, Nethermind, Erigon, Besu, Reth and anvil.
it.each([
  ['already known', { kind: 'sent' }],
  ['AlreadyKnown', { kind: 'sent' }],
  ['Known transaction', { kind: 'sent' }],
  ['transaction already imported', { kind: 'sent' }],
  ['nonce too low', { kind: 'sent' }],
  ['nonce too low: next nonce 5, tx nonce 4', { kind: 'sent' }],
  [
    'insufficient funds for gas * price + value',
    { kind: 'rejected', reason: 'the signer cannot pay for its gas' },
  ],
  [
    'Insufficient funds for gas * price + value',
    { kind: 'rejected', reason: 'the signer cannot pay for its gas' },
  ],
  ['intrinsic gas too low', { kind: 'rejected', reason: 'its gas limit is too low' }],
  ['exceeds block gas limit', { kind: 'rejected', reason: 'its gas limit is above the limit of a block' }],
  ['invalid sender', { kind: 'rejected', reason: 'the chain rejects its signature' }],
  [
    'transaction type not supported',
    { kind: 'rejected', reason: 'the chain does not support this transaction type' },
  ],
  ['oversized data', { kind: 'rejected', reason: 'it is too large for the chain' }],
  ['replacement transaction underpriced', { kind: 'unknown' }],
  ['txpool is full', { kind: 'unknown' }],
  ['transaction underpriced', { kind: 'unknown' }],
  ['max fee per gas less than block base fee', { kind: 'unknown' }],
])('broadcast interprets the node error "%s"', async (nodeMessage, outcome) => {
  expect(await broadcast(answering(nodeMessage), '0x02')).toEqual(outcome);
});

it.each<RpcErrorKind>(['unavailable', 'rateLimited', 'badReply'])(
  'broadcast leaves the outcome unknown for a node that is %s',
  async (kind) => {
    expect(await broadcast(answering('insufficient funds', kind), '0x02')).toEqual({ kind: 'unknown' });
  },
);

it('broadcast leaves the outcome unknown after a rejection when an earlier node did not answer', async () => {
  const call = () => {
    const facts = { kind: 'rejected', reason: 'nodeError', endpoint: 'test' } as const;
    const error = new RpcError({ ...facts, text: 'no', nodeMessage: 'insufficient funds' });
    error.isAfterSilence = true;
    throw error;
  };
  expect(await broadcast({ call } as unknown as EvmRpc, '0x02')).toEqual({ kind: 'unknown' });
});

it('broadcast returns sent for an accepted transaction', async () => {
  expect(await broadcast({ call: async () => '0xhash' } as unknown as EvmRpc, '0x02')).toEqual({
    kind: 'sent',
  });
});

it('broadcast rethrows errors of its caller', async () => {
  const broken = { call: () => Promise.reject(new TypeError('x')) } as unknown as EvmRpc;
  await expect(broadcast(broken, '0x02')).rejects.toThrow(TypeError);
});
