import { describeChainAdapter, type ChainHarness } from '@tollbridge/chain-conformance';
import type { DirectOrder } from '@tollbridge/chain-port';
import type { TonOrder } from '@tollbridge/onchain/ton';
import { openTonAdapter } from '@tollbridge/ton/payments';
import { Address, beginCell, internal } from '@ton/core';
import { openTonPayments } from './testing/open-ton-payments';

const quiet = { warn: () => undefined };

describeChainAdapter('TON', openLocalTon);

async function openLocalTon(): Promise<ChainHarness> {
  const payments = await openTonPayments();
  const { adapter, clock } = payments;
  const token = (symbol: string) => adapter.chain.tokens.find((it) => it.symbol === symbol)!;
  const coin = token('TON');
  return {
    adapter,
    token: token('USDT'),
    coin,
    payer: payments.payer,
    newReceiver: () => payments.newReceiver(),
    unknownHash: '66'.repeat(32),
    pay: (order) => payments.pay(order),
    sendCall: (call) => payments.sendCall(call),
    payAndFail: (order) => payments.pay({ ...order, token: coin, expiresAtMs: clock.now() - 10_000 }),
    payLookAlike: (order) => payments.payLookAlike(inCoins(order)),
    transfer: (receiver, amountAtomic, of, reference) =>
      payments.transfer(receiver, amountAtomic, of, reference),
    transferByContract: (receiver, amountAtomic) => {
      // The message has an operation code, like messages of contracts.
      const body = beginCell().storeUint(0xd53276db, 32).storeUint(0, 64).endCell();
      return payments.send([
        internal({ to: Address.parse(receiver), value: amountAtomic, bounce: false, body }),
      ]);
    },
    mine: async (blocks) => payments.mine(blocks),
    nodeUrl: payments.chain.rpcUrls[0]!,
    adapterOver: (url) => openTonAdapter({ ...payments.chain, rpcUrls: [url] }, quiet).adapter,
    close: () => payments.close(),
  };
}

const rawOf = (address: string) => Address.parse(address).toRawString();

function inCoins(order: DirectOrder): TonOrder {
  return {
    orderId: order.id,
    deadline: BigInt(order.expiresAtMs / 1_000),
    tokenIn: 'TON',
    tokenOut: 'TON',
    amountIn: order.merchantAmountAtomic + order.feeAmountAtomic,
    jetton: null,
    merchant: rawOf(order.merchantAddress),
    merchantAmount: order.merchantAmountAtomic,
    feeReceiver: rawOf(order.feeReceiver),
    feeAmount: order.feeAmountAtomic,
  };
}
