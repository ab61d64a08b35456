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

// As geth, Nethermind, Erigon, Besu, Reth and anvil write them.
it.each([
  ['already known', 'sent'],
  ['AlreadyKnown', 'sent'],
  ['Known transaction', 'sent'],
  ['transaction already imported', 'sent'],
  ['nonce too low', 'sent'],
  ['nonce too low: next nonce 5, tx nonce 4', 'sent'],
  ['insufficient funds for gas * price + value', { rejected: 'the signer cannot pay for its gas' }],
  ['Insufficient funds for gas * price + value', { rejected: 'the signer cannot pay for its gas' }],
  ['intrinsic gas too low', { rejected: 'its gas limit is too low' }],
  ['exceeds block gas limit', { rejected: 'its gas limit is above the limit of a block' }],
  ['invalid sender', { rejected: 'the chain does not take its signature' }],
  ['transaction type not supported', { rejected: 'the chain does not know this type of transaction' }],
  ['oversized data', { rejected: 'it is too large for the chain' }],
  ['replacement transaction underpriced', 'unknown'],
  ['txpool is full', 'unknown'],
  ['transaction underpriced', 'unknown'],
  ['max fee per gas less than block base fee', 'unknown'],
])('broadcast interprets the node error "%s"', async (nodeMessage, outcome) => {
  expect(await broadcast(answering(nodeMessage), '0x02')).toEqual(outcome);
});

it.each<RpcErrorKind>(['unavailable', 'rateLimited', 'badReply'])(
  'broadcast leaves the outcome unknown for a node that is %s',
  async (kind) => {
    expect(await broadcast(answering('insufficient funds', kind), '0x02')).toBe('unknown');
  },
);

it('broadcast leaves the outcome unknown after a rejection when an earlier node did not answer', async () => {
  const call = () => {
    const facts = { kind: 'rejected', reason: 'nodeError', endpoint: 'test' } as const;
    const error = new RpcError({ ...facts, text: 'no', nodeMessage: 'insufficient funds' });
    error.isAfterSilence = true;
    throw error;
  };
  expect(await broadcast({ call } as unknown as EvmRpc, '0x02')).toBe('unknown');
});

it('broadcast returns sent for an accepted transaction', async () => {
  expect(await broadcast({ call: async () => '0xhash' } as unknown as EvmRpc, '0x02')).toBe('sent');
});

it('broadcast throws the errors of its caller', async () => {
  const broken = { call: () => Promise.reject(new TypeError('x')) } as unknown as EvmRpc;
  await expect(broadcast(broken, '0x02')).rejects.toThrow(TypeError);
});
