import {
  coinSenderAbi,
  coinSenderCode,
  describeChainAdapter,
  type ChainHarness,
} from '@tollbridge/chain-conformance';
import type { DirectOrder, TronTransaction, WalletCall } from '@tollbridge/chain-port';
import { loadDirectChains, type DirectChain, type Token } from '@tollbridge/chains';
import { tollbridgePayAbi, tollbridgePayCreationCode } from '@tollbridge/onchain';
import { refBlock, tronPaymentCalls, unsignedTransaction, type TronCall } from '@tollbridge/onchain/tron';
import { openTronAdapter } from '@tollbridge/tron';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TronWeb, utils } from 'tronweb';
import { localTron } from './local-tron';
import { deploy, openTronHarness, readable, send as callContract } from './testing/tron-harness';

const feeLimit = 100_000_000n;

const quiet = { warn: () => undefined };

describeChainAdapter('Tron', openTron);

async function openTron(): Promise<ChainHarness> {
  const harness = await openTronHarness();
  const chain = await directChain(harness.url);
  const { adapter } = openTronAdapter(chain, console);
  const { payer } = harness.accounts;
  const tronWeb = new TronWeb({ fullHost: harness.url, privateKey: payer.privateKey });
  const lookAlike = await deploy(tronWeb, tollbridgePayAbi, tollbridgePayCreationCode, 'TollbridgePay');
  const coinSender = await deploy(tronWeb, coinSenderAbi, coinSenderCode, 'CoinSender');
  const token = (symbol: string) => chain.tokens.find((it) => it.symbol === symbol)!;
  for (const contract of [chain.payContract, lookAlike]) await approveAll(tronWeb, token('USDT'), contract);
  // One transaction, so that a reorganisation of one block drops the payment.
  const payTo = async (contract: string, order: DirectOrder): Promise<string> => {
    const { payment } = tronPaymentCalls(tronOrder(order), payer.address, contract);
    return sendUnsigned(tronWeb, await transactionOf(tronWeb, payment));
  };
  return {
    adapter,
    token: token('USDT'),
    coin: token('TRX'),
    payer: payer.address,
    newReceiver: () => utils.accounts.generateAccount().address.base58,
    unknownHash: '66'.repeat(32),
    pay: (order) => payTo(chain.payContract, order),
    async sendCall(call) {
      const txHash = await sendCall(tronWeb, call);
      // The approval that is part of the call has replaced this approval.
      await approveAll(tronWeb, token('USDT'), chain.payContract);
      return txHash;
    },
    payAndFail: (order) => payTo(chain.payContract, { ...order, expiresAtMs: 1_000 }),
    payLookAlike: (order) => payTo(lookAlike, order),
    transfer: (receiver, amountAtomic, { address }, memo) =>
      transfer(tronWeb, { receiver, amountAtomic, address, memo }),
    transferByContract: (receiver, amountAtomic) =>
      sendByContract(tronWeb, coinSender, { receiver, amountAtomic }),
    mine: (blocks) => harness.anvil.mine(blocks),
    nodeUrl: harness.url,
    adapterOver: (url) => openTronAdapter({ ...chain, rpcUrls: [url] }, quiet).adapter,
    reorganise: (blocks) => harness.anvil.reorg(blocks),
    async close() {
      await harness.close();
      expect(harness.problems).toEqual([]);
    },
  };
}

async function directChain(url: string): Promise<DirectChain> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-conformance-'));
  const path = join(folder, 'chains.json');
  const entry = await localTron.entry(url.replace(/\/tron$/, ''));
  writeFileSync(path, JSON.stringify({ chains: [entry] }));
  const [chain] = loadDirectChains(path, 'tron');
  rmSync(folder, { recursive: true });
  return chain!;
}

const approveAll = (tronWeb: TronWeb, { address }: Token, spender: string): Promise<string> =>
  callContract(tronWeb, address!, 'approve(address,uint256)', { address: spender, uint256: 2n ** 255n });

const tronOrder = (order: DirectOrder): Parameters<typeof tronPaymentCalls>[0] => ({
  orderId: order.id,
  tokenIn: order.token.symbol,
  tokenOut: order.token.symbol,
  amountIn: order.merchantAmountAtomic + order.feeAmountAtomic,
  token: order.token.address,
  merchant: order.merchantAddress,
  merchantAmount: order.merchantAmountAtomic,
  feeReceiver: order.feeReceiver,
  feeAmount: order.feeAmountAtomic,
  deadline: BigInt(order.expiresAtMs / 1_000),
});

async function transactionOf(tronWeb: TronWeb, contract: TronCall): Promise<TronTransaction> {
  const { blockID, block_header } = await tronWeb.trx.getCurrentBlock();
  const { number, timestamp } = block_header.raw_data;
  return unsignedTransaction({
    contract,
    ...refBlock({ height: number, id: blockID }),
    expirationMs: timestamp + 60_000,
    timestampMs: timestamp,
    feeLimit,
  });
}

async function sendCall(tronWeb: TronWeb, call: WalletCall): Promise<string> {
  if (call.family !== 'tron') throw new Error(`a call for ${call.family}`);
  if (call.approval) await sendUnsigned(tronWeb, call.approval);
  return sendUnsigned(tronWeb, call.transaction);
}

const sendUnsigned = (tronWeb: TronWeb, { raw_data, ...rest }: TronTransaction): Promise<string> =>
  send(tronWeb, { visible: false, ...rest, raw_data: JSON.parse(raw_data) });

async function send(tronWeb: TronWeb, unsigned: object): Promise<string> {
  const signed = await tronWeb.trx.sign(unsigned as never);
  const answer = await tronWeb.trx.sendRawTransaction(signed as never);
  if (answer.result !== true) throw new Error(`${answer.code} ${readable(answer.message)}`);
  return (signed as { txID: string }).txID;
}

/** Sends coins by a contract, which forwards the value of a call. */
async function sendByContract(
  tronWeb: TronWeb,
  contract: string,
  { receiver, amountAtomic }: Pick<Transfer, 'receiver' | 'amountAtomic'>,
): Promise<string> {
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    contract,
    'send(address)',
    { feeLimit: Number(feeLimit), callValue: Number(amountAtomic) },
    [{ type: 'address', value: receiver }],
  );
  return send(tronWeb, transaction);
}

interface Transfer {
  receiver: string;
  amountAtomic: bigint;
  address: Token['address'];
  memo: string | undefined;
}

/** Sends a transfer as a wallet builds it, with the wallet's memo. */
async function transfer(
  tronWeb: TronWeb,
  { receiver, amountAtomic, address, memo }: Transfer,
): Promise<string> {
  const { transactionBuilder } = tronWeb;
  const plain =
    address === null
      ? await transactionBuilder.sendTrx(receiver, Number(amountAtomic))
      : (
          await transactionBuilder.triggerSmartContract(
            address,
            'transfer(address,uint256)',
            { feeLimit: Number(feeLimit) },
            [
              { type: 'address', value: receiver },
              { type: 'uint256', value: String(amountAtomic) },
            ],
          )
        ).transaction;
  return send(
    tronWeb,
    memo === undefined
      ? plain
      : await transactionBuilder.addUpdateData(plain, memo, 'utf8', { txLocal: true }),
  );
}
