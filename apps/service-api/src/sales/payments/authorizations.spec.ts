import { createLogger } from '@tollbridge/observability';
import { id, zeroPadValue } from 'ethers';
import { Authorizations } from './authorizations';
import type { Sale } from '../sale';

const [payer, wallet, asset] = ['11', '22', '33'].map((it) => `0x${it.repeat(20)}`) as [
  string,
  string,
  string,
];
const txHash = `0x${'ab'.repeat(32)}`;
const sale = {
  id: 'sale',
  network: 'eip155:8453',
  asset,
  payer,
  nonce: `0x${'cd'.repeat(32)}`,
  createdAtMs: 1_000_000_000,
} as Sale;

describe('Authorizations', () => {
  const head = { height: 10, hash: '0x1', timestamp: 2_000_000 };
  const topics = [id('Transfer(address,address,uint256)'), zeroPadValue(payer, 32), zeroPadValue(wallet, 32)];
  const lagging = {
    ethCall: async () => `0x${'1'.padStart(64, '0')}`,
    head: async () => head,
    blockByNumber: async (height: number): Promise<object | null> => ({ ...head, height, timestamp: 0 }),
    logs: async () => [{ address: asset, topics, data: '0x', txHash, logIndex: 0, height: 5 }],
    receipt: async () => null,
  };

  it.each([
    ['the receipt of a payment', {}],
    ['a block below its head', { blockByNumber: async () => null }],
  ])('returns `unanswered` when the node lacks %s', async (_, changes) => {
    const reads = { ...lagging, ...changes };
    const rpc = { ...reads, pinned: (read: (one: typeof reads) => unknown) => read(reads) };
    const chains = { find: () => ({ rpc, chain: { confirmations: 1 } }) };
    const authorizations = new Authorizations(
      chains as never,
      { wallet: { address: wallet } } as never,
      { SALES_OFFER_SECONDS: 300 },
      createLogger('test', 'silent'),
    );
    expect(await authorizations.trace(sale)).toEqual({ kind: 'unanswered' });
  });
});
