import type { BusClient } from '@tollbridge/rpc';
import type { Logger } from '@tollbridge/observability';
import { eventually } from '@tollbridge/testing';
import type { AccountTransaction, TonAccountReader } from '@tollbridge/ton';
import { Address, beginCell } from '@ton/core';
import type { NanopayConfig } from '../config';
import type { Deployed } from '../deployed';
import { Chain, type AssetWallet } from './asset-wallet';
import { DepositsWorker } from './deposits.worker';

const wallet = `0:${'b1'.repeat(32)}`;
const recipient = `0:${'c1'.repeat(32)}`;

/** What is left in our wallet of a transfer that the wallet of its recipient did not take: the issuer may lock any. */
const bounced = {
  account: wallet,
  lt: 7n,
  hash: 'ff'.repeat(32),
  at: new Date(0),
  parsed: {
    inMessage: {
      info: {
        type: 'internal',
        bounced: true,
        src: Address.parseRaw(recipient),
        dest: Address.parseRaw(wallet),
      },
      body: beginCell().endCell(),
    },
  },
} as unknown as AccountTransaction;

it('tells somebody of what has come back and says nothing of itself', async () => {
  const reader = { getTransactions: async () => ({ transactions: [bounced], hasMore: false }) };
  const error = jest.fn();
  const worker = new DepositsWorker(
    new Chain(reader as unknown as TonAccountReader),
    { read: async () => ({ address: wallet }) } as unknown as AssetWallet,
    { deployment: { verifyingContract: `0:${'a1'.repeat(32)}` } } as Deployed,
    { call: async () => ({ lt: '0' }) } as unknown as BusClient,
    { NANOPAY_CHAIN_LOOK_MS: 3_600_000 } as NanopayConfig,
    { error, warn: jest.fn() } as unknown as Logger,
  );
  worker.onApplicationBootstrap();
  await eventually(() =>
    expect(error).toHaveBeenCalledWith({ count: 1 }, 'what was sent has come back unread'),
  );
  await worker.onApplicationShutdown();
});
