import { RpcError, type EvmRpc } from '@tollbridge/evm';
import { AbiCoder } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { OfficialEvm } from './official-evm';

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`);
const accepted = {
  scheme: 'exact',
  network: 'eip155:8453' as const,
  asset: `0x${'aa'.repeat(20)}`,
  amount: '1000',
  payTo: `0x${'bb'.repeat(20)}`,
  maxTimeoutSeconds: 600,
  extra: { name: 'USD Coin', version: '2' },
};
const silent = new RpcError({ kind: 'unavailable', reason: 'timeout', endpoint: 'node', text: 'no answer' });

async function paymentOf() {
  const { payload } = await new ExactEvmScheme(account).createPaymentPayload(2, accepted);
  return { x402Version: 2, accepted, payload: { ...payload } };
}

describe('OfficialEvm', () => {
  it.each(['verify', 'build'] as const)('%s throws while the node does not answer', async (step) => {
    const rpc = {
      ethCall: () => Promise.reject(silent),
      call: () => Promise.reject(silent),
    } as unknown as EvmRpc;
    const official = new OfficialEvm(rpc, account.address);
    await expect(official[step]('exact', await paymentOf(), accepted)).rejects.toBe(silent);
  });

  it('never reveals the text of a node', async () => {
    const endpoint = 'https://node.example/secret';
    const reverted = new RpcError({
      kind: 'rejected',
      reason: 'nodeError',
      endpoint,
      text: endpoint,
      data: '0x',
    });
    const rpc = {
      ethCall: () => Promise.reject(reverted),
      call: async (_method: string, [address]: [string]) => (address === account.address ? '0x' : '0x60'),
    } as unknown as EvmRpc;
    const rejection = await new OfficialEvm(rpc, account.address).verify(
      'exact',
      await paymentOf(),
      accepted,
    );
    expect(rejection).toEqual({
      reason: 'invalid_exact_evm_transaction_simulation_failed',
      message: 'The transaction would revert.',
    });
  });

  it('returns the same description of a revert in verify and build', async () => {
    const data = '0x08c379a0' + AbiCoder.defaultAbiCoder().encode(['string'], ['paused']).slice(2);
    const reverted = new RpcError({
      kind: 'rejected',
      reason: 'nodeError',
      endpoint: 'node',
      text: '',
      data,
    });
    const rpc = {
      ethCall: () => Promise.reject(reverted),
      call: async (_method: string, [address]: [string]) => (address === account.address ? '0x' : '0x60'),
    } as unknown as EvmRpc;
    const official = new OfficialEvm(rpc, account.address);
    const rejection = {
      reason: 'invalid_exact_evm_transaction_simulation_failed',
      message: 'The transaction would revert: paused.',
    };
    expect(await official.verify('exact', await paymentOf(), accepted)).toEqual(rejection);
    expect(await official.build('exact', await paymentOf(), accepted)).toEqual({
      kind: 'rejected',
      rejection,
    });
  });
});
