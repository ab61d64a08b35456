import { Transaction } from '@mysten/sui/transactions';
import { base58 } from '@scure/base';
import { describeChainAdapter, type ChainHarness } from '@tollbridge/chain-conformance';
import type { DirectOrder } from '@tollbridge/chain-port';
import { loadDirectChains } from '@tollbridge/chains';
import { orderIdToBytes16, type PaymentOrder } from '@tollbridge/onchain';
import { canonicalMoveType } from '@tollbridge/onchain/sui';
import { openSuiAdapter } from '@tollbridge/sui';
import { ManualClock } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookAlikeContract, payContract } from './genesis';
import { localSui } from './local-sui';
import { suiType } from './objects';
import { checkpointMs } from './sui-chain';
import { openSuiHarness } from './testing/sui-harness';

const quiet = { warn: () => undefined };

describeChainAdapter('Sui', openSui);

async function openSui(): Promise<ChainHarness> {
  const clock = new ManualClock(Date.now());
  const sui = await openSuiHarness(clock);
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-conformance-'));
  const path = join(folder, 'chains.json');
  const entry = await localSui.entry(new URL(sui.rpcUrl).origin);
  writeFileSync(path, JSON.stringify({ chains: [entry] }));
  const [chain] = loadDirectChains(path, 'sui');
  const { adapter } = openSuiAdapter(chain!, console);
  const wallet = sui.wallet('payer');
  const token = (symbol: string) => chain!.tokens.find((it) => it.symbol === symbol)!;
  const mine = async (blocks: number) => clock.advance(blocks * checkpointMs);
  const mined = async (sent: Promise<string>) => {
    const digest = await sent;
    await mine(1);
    return digest;
  };
  return {
    adapter,
    token: token('USDC'),
    coin: token('SUI'),
    payer: wallet.address,
    newReceiver: () => `0x${randomBytes(32).toString('hex')}`,
    unknownHash: base58.encode(Buffer.alloc(32, 0x66)),
    pay: (order) => mined(wallet.pay(payContract, termsOf(order))),
    sendCall: (call) => {
      if (call.family !== 'sui') throw new Error('the call is for another family');
      return mined(wallet.send(Transaction.fromKind(call.transactionKind)));
    },
    payAndFail: (order) => mined(wallet.pay(payContract, { ...termsOf(order), deadline: 1n })),
    payLookAlike: (order) => mined(wallet.pay(lookAlikeContract, termsOf(order))),
    transfer: (receiver, amountAtomic, { address }) =>
      mined(wallet.transfer(receiver, amountAtomic, canonicalMoveType(address ?? suiType))),
    mine,
    nodeUrl: chain!.rpcUrls[0]!,
    adapterOver: (url) => openSuiAdapter({ ...chain!, rpcUrls: [url] }, quiet).adapter,
    close: async () => {
      rmSync(folder, { recursive: true });
      await sui.close();
      expect(sui.problems).toEqual([]);
    },
  };
}

function termsOf({ id, token, ...order }: DirectOrder): PaymentOrder {
  return {
    order_id: orderIdToBytes16(id),
    token_in: token.symbol,
    token_out: token.symbol,
    amount_in: order.merchantAmountAtomic + order.feeAmountAtomic,
    token_in_address: canonicalMoveType(token.address ?? suiType),
    merchant: order.merchantAddress,
    merchant_amount: order.merchantAmountAtomic,
    fee_receiver: order.feeReceiver,
    fee_amount: order.feeAmountAtomic,
    deadline: BigInt(order.expiresAtMs / 1_000),
  };
}
