import { OrderChanged, type CreateOrderReply, type OrderReply } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import type { LocalChain } from '@tollbridge/local-chain';
import { callContext, decode, walletPrincipal } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { Contract, keccak256 } from 'ethers';
import { OrdersRepository } from '../orders/storage/orders.repository';
import { merchant, PayOrders } from '../testing/pay-orders';
import { DisplacedReportsRepository } from './displaced-reports.repository';
import type { ReportedOrder } from './payment';
import { PaymentsRepository } from './payments.repository';

const confirmations = 2;
const price = 100_000_000n;
let harness: PayOrders;
let signed = 0;

beforeAll(async () => {
  harness = await PayOrders.start({ confirmations, otherChainId: 42161, instances: 2 });
});
afterAll(() => harness?.close());

interface SignedTransfer {
  chain: LocalChain;
  hash: string;
  /** The signed transaction, which is not sent yet. */
  raw: string;
}

/** Signs a transfer of a stranger to the merchant that no node has. */
async function sign(
  amount = price,
  chain = harness.chain,
  token = chain.usdc.address,
): Promise<SignedTransfer> {
  const abi = ['function transfer(address to, uint256 amount) returns (bool)'];
  const transfer = new Contract(token, abi, chain.stranger).getFunction('transfer');
  const call = await chain.stranger.populateTransaction(await transfer.populateTransaction(merchant, amount));
  delete call.from;
  // Gives each transaction another hash, even for a nonce with an earlier transaction that was never sent.
  call.gasLimit = BigInt(call.gasLimit!) + BigInt(++signed);
  const raw = await chain.stranger.signTransaction(call);
  return { chain, raw, hash: keccak256(raw) };
}

async function send({ chain, raw, hash }: SignedTransfer, blocksAfter = confirmations - 1): Promise<void> {
  // Block times are whole seconds.
  await chain.anvil.mineAt(Math.ceil(Date.now() / 1_000) + 1);
  await chain.anvil.send('eth_sendRawTransaction', [raw]);
  await chain.mined(hash);
  if (blocksAfter > 0) await chain.anvil.mine(blocksAfter);
}

const create = (maker = harness.chain.payer.address): Promise<CreateOrderReply> =>
  harness.createOrder(
    { payer_address: maker, fee_amount: '0', fee_receiver: '' },
    callContext({ principal: walletPrincipal(maker) }),
  );

async function pay({ order_id: id, direct }: CreateOrderReply): Promise<string> {
  const hash = await harness.chain.pay(direct!.payment_order);
  // Far below the blocks that tests replace.
  await harness.chain.anvil.mine(10);
  await harness.orderWith(id, { status: 'settled', settle_tx: hash });
  return hash;
}

interface Displaced {
  id: string;
  paidBy: string;
  transfer: SignedTransfer;
}

/** Creates an order that the contract settled while it waited for a reported transfer. */
async function displaced(transfer?: SignedTransfer): Promise<Displaced> {
  const reported = transfer ?? (await sign());
  const order = await create();
  expect(await harness.report(order.order_id, reported.hash)).toBe('settling');
  return { id: order.order_id, paidBy: await pay(order), transfer: reported };
}

/** Creates an order that waits again, because no node had its reported transfer. */
async function notFound(maker: string): Promise<Omit<Displaced, 'paidBy'>> {
  const transfer = await sign();
  const { order_id: id } = await create(maker);
  expect(await harness.report(id, transfer.hash)).toBe('settling');
  await harness.database.query(
    "UPDATE orders SET pay_tx_since = pay_tx_since - interval '11 minutes', judge_at = now() WHERE id = $1",
    [id],
  );
  await harness.orderWith(id, { status: 'waiting_payment' });
  return { id, transfer };
}

const followed = (id: string) =>
  harness.database.query('SELECT tx_hash FROM displaced_reports WHERE order_id = $1', [id]);

const setDue = (id: string) =>
  harness.database.query('UPDATE displaced_reports SET check_at = now() WHERE order_id = $1', [id]);

/** Resolves after the chain was read for the report. */
async function checked(id: string): Promise<void> {
  await harness.caughtUp();
  await setDue(id);
  const due = 'SELECT FROM displaced_reports WHERE order_id = $1 AND check_at <= now()';
  await eventually(async () => expect(await harness.database.query(due, [id])).toEqual([]));
}

async function exceptionOf(id: string): Promise<OrderReply['exceptions'][number]> {
  await setDue(id);
  return eventually(async () => {
    const { exceptions } = await harness.getOrder(id);
    expect(exceptions).toHaveLength(1);
    return exceptions[0]!;
  });
}

const stateOf = async (id: string): Promise<Partial<OrderReply>> => {
  const { status, settle_tx, settled_amount, late } = await harness.getOrder(id);
  return { status, settle_tx, settled_amount, late };
};

const takesOf = async (id: string): Promise<number> =>
  (await harness.eventsOf(id)).filter((type) => type === 'order-exception').length;

describe('a reported transfer that is confirmed after the contract settled its order', () => {
  it('becomes one exception with its event at the confirmations of the chain, and keeps its claim', async () => {
    const { id, paidBy, transfer } = await displaced();
    expect(await followed(id)).toEqual([{ tx_hash: transfer.hash }]);
    await send(transfer, 0);
    await checked(id);
    expect(await harness.getOrder(id)).toMatchObject({ exceptions: [] });
    await harness.chain.anvil.mine(confirmations - 1);

    const exception = await exceptionOf(id);
    expect(exception).toMatchObject({
      kind: 'transfer',
      chain: harness.chain.id,
      token: 'USDC',
      amount: '100000000',
      tx_hash: transfer.hash,
      reason: `PAID_TWICE: the merchant received 100000000 by plain transfer, and ${paidBy} had settled the order`,
    });
    expect(await stateOf(id)).toEqual({
      status: 'settled',
      settle_tx: paidBy,
      settled_amount: '100000000',
      late: false,
    });
    expect(await harness.eventsOf(id)).toEqual([
      'order-created',
      'order-settling',
      'order-settled',
      'order-exception',
    ]);
    const { data } = harness.events.of(id).at(-1)!.envelope;
    expect(decode(OrderChanged, data)).toMatchObject({ ok: true, value: { exception } });
    expect(await followed(id)).toEqual([]);
    expect(await harness.report((await create()).order_id, transfer.hash)).toBe('TX_ALREADY_REPORTED');
  });

  it.each<[string, RegExp, () => Promise<SignedTransfer>]>([
    ['a part of the amount', /^PAID_TWICE: the merchant received 40000000 /, () => sign(40_000_000n)],
    [
      'another token',
      /^OTHER_TOKEN: .* of USDT /,
      () => sign(price, harness.chain, harness.chain.usdt.address),
    ],
    ['another chain', /^OTHER_NETWORK: .* on eip155:42161/, () => sign(price, harness.otherChain)],
  ])('becomes an exception when it is of %s', async (_case, reason, make) => {
    const { id, paidBy, transfer } = await displaced(await make());
    await send(transfer);

    expect(await exceptionOf(id)).toMatchObject({
      tx_hash: transfer.hash,
      reason: expect.stringMatching(reason),
    });
    expect(await stateOf(id)).toMatchObject({ status: 'settled', settle_tx: paidBy });
    expect(await followed(id)).toEqual([]);
  });

  it('becomes an exception when the report of the contract payment replaced its report', async () => {
    const transfer = await sign();
    const order = await create();
    const { order_id: id } = order;
    expect(await harness.report(id, transfer.hash)).toBe('settling');
    const stale = { ...(await orderOf(id)), payTx: transfer.hash, payTxSinceMs: Date.now() };
    const hash = await harness.chain.pay(order.direct!.payment_order);
    expect(await harness.report(id, hash)).toBe('settling');
    // A verifier that read the first report before it was replaced.
    expect(await payments().reject(stale, 'NO_PAYMENT: late', Date.now(), callContext())).toBe(false);
    await harness.chain.anvil.mine(10);
    await harness.orderWith(id, { status: 'settled', settle_tx: hash });
    await send(transfer);

    expect(await exceptionOf(id)).toMatchObject({ reason: expect.stringMatching(/^PAID_TWICE: /) });
  });

  it('becomes an exception when it is mined again, but not while a reorganisation excludes it', async () => {
    const { id, transfer } = await displaced();
    await send(transfer, 0);
    await harness.caughtUp();
    await harness.chain.anvil.reorg(1);
    await harness.chain.anvil.mine(confirmations);
    await checked(id);
    expect(await harness.getOrder(id)).toMatchObject({ exceptions: [] });
    await send(transfer);
    await exceptionOf(id);
    const before = await harness.getOrder(id);

    await harness.chain.anvil.reorg(confirmations + 1);
    await harness.caughtUp();
    expect(await harness.getOrder(id)).toEqual(before);
    await send(transfer);
    await harness.caughtUp();
    expect(await harness.getOrder(id)).toEqual(before);
    expect([await followed(id), await takesOf(id)]).toEqual([[], 1]);
  });

  it('settles another order of the merchant after a report for that order', async () => {
    const { id, transfer } = await displaced();
    const other = await create(harness.chain.stranger.address);
    expect(await harness.report(other.order_id, transfer.hash)).toBe('settling');
    await send(transfer);

    await setDue(id);
    await harness.orderWith(other.order_id, { status: 'settled', settle_tx: transfer.hash });
    await setDue(id);
    await eventually(async () => expect(await followed(id)).toEqual([]));
    expect(await harness.getOrder(id)).toMatchObject({ exceptions: [] });
  });

  it('counts once when replicas and another order handle it concurrently', async () => {
    const { id, transfer } = await displaced();
    const { order_id: otherId } = await create(harness.chain.stranger.address);
    expect(await harness.report(otherId, transfer.hash)).toBe('settling');
    await harness.database.query(
      "UPDATE displaced_reports SET check_at = now() + interval '1 hour' WHERE order_id = $1",
      [id],
    );
    const reportOf = async (orderId: string): Promise<ReportedOrder> => ({
      ...(await orderOf(orderId)),
      payTx: transfer.hash,
      payTxSinceMs: Date.now(),
    });
    const [report, otherReport] = [await reportOf(id), await reportOf(otherId)];
    const from = harness.chain.stranger.address;
    const transfers = [{ txHash: transfer.hash, logIndex: 0, from, amountAtomic: price }];
    const facts = {
      chain: findChain(harness.chain.id)!,
      received: { transfers, others: [], namesOrder: false },
      valueUsd: null,
      nowMs: Date.now(),
    };
    const displacedReports = harness.apps[0]!.context.get(DisplacedReportsRepository);
    // The other order waits for the transfer.
    expect(await displacedReports.take(report, facts, callContext())).toBe(false);
    expect(await followed(id)).toHaveLength(1);

    const taking = [1, 2, 3].map(() => displacedReports.take(report, facts, callContext()));
    const taken = await payments().takeTransfers(otherReport, facts, callContext());
    await Promise.all(taking);
    // The earlier calls may have found the other order waiting.
    await displacedReports.take(report, facts, callContext());

    expect(taken).toBe(true);
    expect(await stateOf(otherId)).toMatchObject({ status: 'settled', settle_tx: transfer.hash });
    expect([await followed(id), await takesOf(id)]).toEqual([[], 0]);
    const claims = 'SELECT order_id FROM settlement_claims WHERE tx_hash = $1';
    expect(await harness.database.query(claims, [transfer.hash])).toEqual([{ order_id: otherId }]);
  });

  it('becomes one exception when replicas handle it concurrently', async () => {
    const { id, transfer } = await displaced();
    const report = { ...(await orderOf(id)), payTx: transfer.hash, payTxSinceMs: Date.now() };
    const transfers = [{ txHash: transfer.hash, logIndex: 0, from: merchant, amountAtomic: price }];
    const facts = {
      chain: findChain(harness.chain.id)!,
      received: { transfers, others: [], namesOrder: false },
      valueUsd: null,
      nowMs: Date.now(),
    };
    const replicas = harness.apps.map(({ context }) => context.get(DisplacedReportsRepository));
    const outcomes = await Promise.all(
      [...replicas, ...replicas].map((replica) => replica.take(report, facts, callContext())),
    );

    expect(outcomes.filter((hasTaken) => hasTaken)).toHaveLength(1);
    expect([await followed(id), await takesOf(id)]).toEqual([[], 1]);
  });
});

const payments = () => harness.apps[0]!.context.get(PaymentsRepository);
const orderOf = async (id: string) => (await harness.apps[0]!.context.get(OrdersRepository).find(id))!;

describe('a reported transfer that no node had for ten minutes', () => {
  it('completes its order when it is mined while the order waits', async () => {
    const { id, transfer } = await notFound(harness.chain.stranger.address);
    await send(transfer);
    await setDue(id);

    await harness.orderWith(id, { status: 'settled', settle_tx: transfer.hash, late: false, exceptions: [] });
    expect(await followed(id)).toEqual([]);
  });

  it('completes its order late when it is mined after the order has expired', async () => {
    const { id, transfer } = await notFound(harness.chain.stranger.address);
    await harness.database.query("UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = $1", [
      id,
    ]);
    await harness.chain.anvil.mineAt(Math.ceil(Date.now() / 1_000) + 1);
    await harness.orderWith(id, { status: 'expired' });
    await send(transfer);
    await setDue(id);

    await harness.orderWith(id, { status: 'settled', settle_tx: transfer.hash, late: true, exceptions: [] });
  });

  it('becomes an exception of a waiting order if another account sent it', async () => {
    const { id, transfer } = await notFound(harness.chain.payer.address);
    await send(transfer);

    const reason = expect.stringMatching(/^UNKNOWN_SENDER: /);
    expect(await exceptionOf(id)).toMatchObject({ tx_hash: transfer.hash, reason });
    expect(await stateOf(id)).toMatchObject({ status: 'waiting_payment' });
  });

  it('completes its order once when it is reported again before it is mined', async () => {
    const { id, transfer } = await notFound(harness.chain.stranger.address);
    expect(await harness.report(id, transfer.hash)).toBe('settling');
    await send(transfer);

    await harness.orderWith(id, { status: 'settled', settle_tx: transfer.hash, exceptions: [] });
    await setDue(id);
    await eventually(async () => expect(await followed(id)).toEqual([]));
    expect(await harness.getOrder(id)).toMatchObject({ exceptions: [], settled_amount: '100000000' });
    expect((await harness.eventsOf(id)).filter((type) => type === 'order-settled')).toHaveLength(1);
  });

  it('remains under check for a day', async () => {
    const { id } = await notFound(harness.chain.payer.address);
    await checked(id);
    expect(await followed(id)).toHaveLength(1);
    await harness.database.query(
      "UPDATE displaced_reports SET displaced_at = now() - interval '25 hours' WHERE order_id = $1",
      [id],
    );
    await setDue(id);

    await eventually(async () => expect(await followed(id)).toEqual([]));
  });
});

it('a displaced report of a transaction that pays the merchant nothing is dropped', async () => {
  const order = await create();
  const { hash } = await harness.chain.stranger.sendTransaction({ to: merchant, value: 0n });
  await harness.chain.mined(hash);
  expect(await harness.report(order.order_id, hash)).toBe('settling');
  await pay(order);

  await setDue(order.order_id);
  await eventually(async () => expect(await followed(order.order_id)).toEqual([]));
  expect(await harness.getOrder(order.order_id)).toMatchObject({ exceptions: [] });
});
