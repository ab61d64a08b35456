import { Address, beginCell, Cell } from '@ton/core';
import type { SendMessageResult } from '@ton/sandbox';
import { jettonWalletAddress } from '../jetton-wallet';
import { encodeTonOrder, hashTonOrder, type TonOrder } from '../order';
import {
  decodeTonRecord,
  tonCoinPaymentNano,
  tonJettonForwardNano,
  tonPayOps,
  tonSettlementAddress,
  type TonPaidOrder,
} from '../pay';
import { deployGovernedJetton, deployReferenceJetton, type GovernedJetton, type TestJetton } from './jettons';
import { raw, TonChain, type Account, type Transactions } from './ton-chain';

export const fundsAtomic = 1_000_000_000_000n;

/** A local chain with two jettons and the parties of a payment. */
export interface TonPayments {
  chain: TonChain;
  usdt: GovernedJetton;
  reference: TestJetton;
  payer: Account;
  other: Account;
  merchant: Account;
  feeReceiver: Account;
}

export async function startTonPayments(): Promise<TonPayments> {
  const chain = await TonChain.start();
  const [usdt, reference] = [
    await deployGovernedJetton(chain, 'USDT'),
    await deployReferenceJetton(chain, 'TEP'),
  ];
  const [payer, other] = [await chain.account('payer'), await chain.account('other')];
  for (const jetton of [usdt, reference])
    for (const { address } of [payer, other]) await jetton.mint(address, fundsAtomic);
  const [merchant, feeReceiver] = [await chain.account('merchant'), await chain.account('fee receiver')];
  return { chain, usdt, reference, payer, other, merchant, feeReceiver };
}

let lastId = 0n;

/** Returns a valid order. It is in USDT unless `terms.jetton` is set, where null means the native coin. */
export function orderFor(
  { chain, usdt, merchant, feeReceiver }: TonPayments,
  terms: Partial<TonOrder> = {},
): TonOrder {
  const id = (++lastId).toString(16).padStart(32, '0');
  const order = {
    orderId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    deadline: BigInt(chain.nowS + 600),
    tokenIn: 'USDT',
    tokenOut: 'USDT',
    jetton: usdt.facts,
    merchant: raw(merchant.address),
    merchantAmount: 97_000_001n,
    feeReceiver: raw(feeReceiver.address),
    feeAmount: 2_999_999n,
    ...terms,
  };
  return { amountIn: order.merchantAmount + order.feeAmount, ...order };
}

export const coinOrderFor = (payments: TonPayments, terms: Partial<TonOrder> = {}): TonOrder =>
  orderFor(payments, {
    jetton: null,
    tokenIn: 'TON',
    tokenOut: 'TON',
    merchantAmount: 9_700_000_001n,
    feeAmount: 299_999_999n,
    ...terms,
  });

export interface JettonSending {
  from?: Account;
  jetton?: TestJetton;
  amount?: bigint;
  forwardNano?: bigint;
  /** Payload to send instead of the order. */
  payload?: Cell;
}

/** Sends jettons to the payment contract, with the order as payload. */
export async function sendJettons(
  payments: TonPayments,
  order: TonOrder | Cell,
  sending: JettonSending = {},
): Promise<SendMessageResult> {
  const { from = payments.payer, jetton = payments.usdt, forwardNano = tonJettonForwardNano } = sending;
  const cell = order instanceof Cell ? order : await encodeTonOrder(order);
  const body = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(7, 64)
    .storeCoins(sending.amount ?? (order instanceof Cell ? 100_000_000n : order.amountIn))
    .storeAddress(payments.chain.payment)
    .storeAddress(from.address)
    .storeBit(false)
    .storeCoins(forwardNano);
  if (sending.payload) body.storeSlice(sending.payload.beginParse());
  else body.storeMaybeRef(cell);
  const value = forwardNano + 100_000_000n;
  return from.send({ to: await jetton.walletOf(from.address), value, body: body.endCell() });
}

export interface CoinSending {
  from?: Account;
  value?: bigint;
  bounce?: boolean;
}

export async function sendCoins(
  { chain, payer }: TonPayments,
  order: TonOrder | Cell,
  sending: CoinSending = {},
): Promise<SendMessageResult> {
  const cell = order instanceof Cell ? order : await encodeTonOrder(order);
  const body = beginCell().storeUint(tonPayOps.payOrder, 32).storeUint(7, 64).storeRef(cell).endCell();
  const amountIn = order instanceof Cell ? 10_000_000_000n : order.amountIn;
  const { from = payer, value = amountIn + tonCoinPaymentNano, bounce = true } = sending;
  return from.send({ to: chain.payment, value, bounce, body });
}

/** Returns the records that these transactions sent to the payment contract, decoded like in a backend. */
export async function recordsIn({ chain }: TonPayments, transactions: Transactions): Promise<TonPaidOrder[]> {
  const records: TonPaidOrder[] = [];
  for (const { address, inMessage, description } of transactions) {
    const isOfContract = address === BigInt(`0x${chain.payment.hash.toString('hex')}`);
    if (!isOfContract || description.type !== 'generic' || description.aborted || !inMessage) continue;
    const record = await decodeTonRecord(inMessage);
    if (record) records.push(record);
  }
  return records;
}

export const settlementOf = async (order: TonOrder): Promise<Address> =>
  Address.parseRaw(await tonSettlementAddress(await hashTonOrder(order)));

/** Returns the jetton balances of all accounts and contracts, to compare them before and after a payment. */
export async function jettonBalances(
  payments: TonPayments,
  order?: TonOrder,
  jetton: TestJetton = payments.usdt,
) {
  const { payer, other, merchant, feeReceiver, chain } = payments;
  return {
    payer: await jetton.balanceOf(payer.address),
    other: await jetton.balanceOf(other.address),
    merchant: await jetton.balanceOf(merchant.address),
    feeReceiver: await jetton.balanceOf(feeReceiver.address),
    contract: await jetton.balanceOf(chain.payment),
    settlement: order ? await jetton.balanceOf(await settlementOf(order)) : 0n,
  };
}

export type Balances = Awaited<ReturnType<typeof jettonBalances>>;

/** Returns the changes of balances, without unchanged ones. */
export function gains(before: Balances, after: Balances): Partial<Record<keyof Balances, bigint>> {
  const names = Object.keys(before) as (keyof Balances)[];
  return Object.fromEntries(
    names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name] - before[name]]),
  );
}

export const walletIn = async (jetton: TestJetton, owner: Address): Promise<Address> =>
  Address.parseRaw(await jettonWalletAddress(jetton.facts, raw(owner)));
