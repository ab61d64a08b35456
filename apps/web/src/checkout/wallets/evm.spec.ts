import { isDeclined } from '../../wallets/declined';
import type { Payable } from '../page';
import { evmWallet } from './evm';

jest.mock('./wallet', () => ({ ...jest.requireActual('./wallet'), later: async () => undefined }));

const call = (to: string) => ({ to, data: '0x01', value: '0' });
const payable: Payable = {
  family: 'evm',
  chainId: 8453,
  addChain: null,
  approve: call('0xtoken'),
  approval: '/approval/',
  pay: call('0xpay'),
  walletCall: null,
};

/** A wallet that returns the given replies of a method in turn, and then repeats the last one. */
function walletOf(answers: Record<string, unknown[]>) {
  const asked: string[] = [];
  const all: Record<string, unknown[]> = {
    eth_chainId: ['0x2105'],
    eth_accounts: [['0xpayer']],
    wallet_getCapabilities: [{ '0x2105': { atomic: { status: 'supported' } } }],
    wallet_sendCalls: [{ id: 'batch' }],
    ...answers,
  };
  const request = async ({ method }: { method: string }) => {
    asked.push(method);
    const list = all[method] ?? [Object.assign(new Error(method), { code: -32_601 })];
    const answer = list.length > 1 ? list.shift() : list[0];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const wallet = evmWallet({ uuid: 'w', name: 'W', icon: null }, { request });
  return { asked, pay: () => wallet.pay(payable, '0xpayer', () => undefined) };
}

const done = { status: 200, receipts: [{ transactionHash: '0xa' }, { transactionHash: '0xb' }] };

describe('a batch of calls', () => {
  it('waits while it is pending, and returns its last transaction', async () => {
    const { asked, pay } = walletOf({ wallet_getCallsStatus: [{ status: 100 }, { status: 100 }, done] });
    expect(await pay()).toBe('0xb');
    expect(asked.filter((method) => method === 'wallet_getCallsStatus')).toHaveLength(3);
    expect(asked).not.toContain('eth_sendTransaction');
  });

  it.each([
    ['the wallet never sent it', 400],
    ['it reverted', 500],
    ['a part of it reverted', 600],
  ])('fails when %s, and is not sent a second time', async (_title, status) => {
    const { asked, pay } = walletOf({ wallet_getCallsStatus: [{ status: 100 }, { status }] });
    await expect(pay()).rejects.toMatchObject({ text: 'failed' });
    expect(asked.filter((method) => method === 'wallet_sendCalls')).toHaveLength(1);
    expect(asked).not.toContain('eth_sendTransaction');
  });

  it('becomes two transactions when the wallet does not support batches', async () => {
    const { pay } = walletOf({
      wallet_getCapabilities: [Object.assign(new Error(), { code: 4200 })],
      eth_sendTransaction: ['0xapproval', '0xpayment'],
      eth_getTransactionReceipt: [null, { status: '0x1' }],
    });
    expect(await pay()).toBe('0xpayment');
  });

  it('pays nothing after an approval that reverted', async () => {
    const { asked, pay } = walletOf({
      wallet_getCapabilities: [{}],
      eth_sendTransaction: ['0xapproval'],
      eth_getTransactionReceipt: [{ status: '0x0' }],
    });
    await expect(pay()).rejects.toMatchObject({ text: 'approvalFailed' });
    expect(asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
  });
});

describe('isDeclined', () => {
  it.each([
    { code: 4001 },
    { code: 5000 },
    { code: 5750 },
    { code: 300 },
    { code: 'ACTION_REJECTED' },
    { code: -32_603, data: { originalError: { code: 4001 } } },
  ])('returns true for %j', (error) => expect(isDeclined(error)).toBe(true));

  it.each([
    { message: 'User rejected the request.' },
    { code: -32_000, message: 'cancelled: nonce too low' },
    { code: 4902 },
    'declined',
    null,
    undefined,
  ])('returns false for %j', (error) => expect(isDeclined(error)).toBe(false));
});
