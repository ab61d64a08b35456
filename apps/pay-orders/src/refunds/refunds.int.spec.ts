import {
  orderEvents,
  ordersApi,
  payerlessOrdersApi,
  swapsApi,
  type CreateOrderReply,
  type OrderReply,
  type OrderTermsRequest,
} from '@tollbridge/contracts';
import { decode } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { HDNodeWallet, Transaction } from 'ethers';
import { merchant, PayOrders } from '../testing/pay-orders';
import { tapWire, type WireTap } from '../testing/wire-tap';
import { RefundAddressesRepository } from './refund-addresses.repository';
import { Database } from '@tollbridge/database';
import { ManualDecisions } from './manual-decisions';
import { ManualRefundsRepository } from './manual-refunds.repository';
import { RefundTransactionsRepository } from './refund-transactions.repository';
import { RefundsWorker } from './refunds.worker';

const base = 'eip155:8453';
const arbitrum = 'eip155:42161';
const [btcAccount, listed] = ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 5];
/** The simulator refunds the whole deposit for these amounts. */
const undeliverable = '25006403';
const confirmations = 2;

let harness: PayOrders;
let node: WireTap;

beforeAll(async () => {
  harness = await PayOrders.start({
    confirmations,
    otherChainId: 42161,
    routes: 'simulated',
    instances: 2,
    rpcUrls: async ({ anvil }) => {
      node = await tapWire(anvil.url);
      return [node.url];
    },
    settings: {
      REFUND_ACCOUNT: 'on',
      REFUND_TIP_MWEI: '1',
      REFUND_MANUAL_ACCOUNTS: `btc=${btcAccount}`,
      REFUND_MANUAL_SENDERS: walletOf(listed).address,
      REFUND_MAX_SENDER_TRANSACTIONS: '500',
    },
  });
});
afterAll(async () => {
  await harness?.close();
  await node?.close();
});
afterEach(() => node.passThrough());

function walletOf(index: number): HDNodeWallet {
  const phrase = 'test test test test test test test test test test test junk';
  return HDNodeWallet.fromPhrase(phrase, undefined, `m/44'/60'/0'/0/${index}`);
}

const terms: OrderTermsRequest = {
  pay_blockchain: base,
  pay_token: 'WETH',
  settle_chain: arbitrum,
  settle_token: 'USDC',
  merchant_address: merchant,
  merchant_amount: '25000000',
  merchant_id: 'merchant-1',
  fee_receiver: merchant,
  fee_amount: '0',
};

const order = (changes: Partial<OrderTermsRequest> = {}): Promise<CreateOrderReply> =>
  harness.call(payerlessOrdersApi.operations.createPayerlessOrder, { ...terms, ...changes });

const depositOf = ({ cross_chain }: CreateOrderReply): bigint => BigInt(cross_chain!.deposit_amount);
const weth = () => harness.chain.weth.address;

/** A payer with tokens and coins, used by one test only. */
async function newPayer(amount: bigint, coins = 10n ** 18n): Promise<HDNodeWallet> {
  const payer = HDNodeWallet.createRandom().connect(harness.chain.anvil.provider);
  await harness.chain.transfer(payer.address, coins);
  await harness.chain.transfer(payer.address, amount, weth());
  return payer as HDNodeWallet;
}

const send = (reply: CreateOrderReply, amount: bigint, from: HDNodeWallet, token?: string) =>
  harness.chain.transfer(reply.cross_chain!.deposit_address, amount, token, from);

/** Mines blocks on both chains until the order has the expected state. */
function comesTo(id: string, expected: object): Promise<OrderReply> {
  return eventually(async () => {
    await Promise.all([harness.chain.anvil.mine(), harness.otherChain!.anvil.mine()]);
    const found = await harness.getOrder(id);
    expect(found).toMatchObject(expected);
    return found;
  });
}

const refundsAre = (id: string, ...forwarded_refunds: object[]) =>
  comesTo(id, { cross_chain: { forwarded_refunds } });

interface RefundRow {
  id: string;
  state: string;
  reason: string | null;
  address: string;
}

async function refundOf(id: string): Promise<RefundRow> {
  const [row] = await harness.database.query<RefundRow>(
    `SELECT r.id, r.state, r.reason, a.address FROM refund_addresses a LEFT JOIN refunds r USING (order_id)
     WHERE a.order_id = $1 ORDER BY r.created_at DESC LIMIT 1`,
    [id],
  );
  return row!;
}

/** The number of the token's transfers to an account on the chain. */
async function transfersTo(account: string): Promise<number> {
  const topic = `0x${account.slice(2).toLowerCase().padStart(64, '0')}`;
  const filter = { address: weth(), topics: [null, null, topic], fromBlock: 0 };
  return (await harness.chain.anvil.provider.getLogs(filter)).length;
}

describe('a refund of an order without a payer', () => {
  it("pays the deposit's sender exactly once after a failed route, and causes an event", async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const payer = await newPayer(amount);
    await send(reply, amount, payer, weth());
    const failed = await refundsAre(reply.order_id, {
      state: 'sent',
      amount: String(amount),
      recipient: payer.address,
      tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(failed).toMatchObject({ status: 'failed', cross_chain: { refunded_amount: String(amount) } });
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(amount);
    // One from the test to the payer, and one from the refund.
    expect(await transfersTo(payer.address)).toBe(2);
    const types = await harness.eventsOf(reply.order_id);
    expect(types.at(-1)).toBe('order-refunded');
    const events = harness.events.of(reply.order_id).map(({ envelope }) => envelope.data);
    expect(decode(orderEvents['order-refunded'].data, events.at(-1))).toMatchObject({ ok: true });
    expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)!.updated_at).toBe(events.at(-2)!.updated_at);
    expect(events.at(-1)).toMatchObject({
      status: 'failed',
      refund_account: true,
      forwarded_amount: String(amount),
      forwarded_tx: failed.cross_chain!.forwarded_refunds[0]!.tx_hash,
    });
  });

  it('contains the remainder of an overpaid order', async () => {
    const reply = await order();
    const amount = depositOf(reply) * 2n;
    const payer = await newPayer(amount);
    await send(reply, amount, payer, weth());
    const settled = await refundsAre(reply.order_id, { state: 'sent', recipient: payer.address });
    expect(settled).toMatchObject({ status: 'settled', settled_amount: '25000000' });
    const {
      forwarded_refunds: [refund],
      refunded_amount: refunded,
    } = settled.cross_chain!;
    expect(refund!.amount).toBe(refunded);
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(BigInt(refunded!));
  });

  it('contains an incomplete deposit after the deadline', async () => {
    const reply = await order();
    const half = depositOf(reply) / 2n;
    const payer = await newPayer(half);
    await send(reply, half, payer, weth());
    await comesTo(reply.order_id, { cross_chain: { deposit_status: 'incomplete' } });
    await harness.oneClick.pastDeadline({ depositAddress: reply.cross_chain!.deposit_address });
    await refundsAre(reply.order_id, { state: 'sent', amount: String(half), recipient: payer.address });
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(half);
  });

  it('precedes a second refund when the same payer makes a second deposit after the end', async () => {
    const reply = await order();
    const amount = depositOf(reply);
    const payer = await newPayer(amount * 2n);
    await send(reply, amount, payer, weth());
    await refundsAre(reply.order_id, { state: 'sent', recipient: payer.address });
    const surplus = await harness.chain.balanceOf(payer.address, weth());
    await send(reply, amount, payer, weth());
    const late = { state: 'sent', amount: String(amount), recipient: payer.address };
    await refundsAre(reply.order_id, late, { state: 'sent', amount: String(surplus - amount) });
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(surplus);
    // The final state stays. The order, the status of the deposit and events show the later transfers.
    const deposited_amount = String(amount * 2n);
    const refunded_amount = String(surplus);
    expect(await harness.getOrder(reply.order_id)).toMatchObject({
      status: 'settled',
      cross_chain: { deposited_amount, refunded_amount },
      // One check of the provider may find both.
      exceptions: expect.arrayContaining([
        expect.objectContaining({ kind: 'deposit', token: 'WETH', amount: String(amount) }),
        expect.objectContaining({ kind: 'refund', token: 'WETH', amount: String(amount) }),
      ]),
    });
    const { deposit_address } = reply.cross_chain!;
    const swap = await harness.call(swapsApi.operations.getStatus, { deposit_address });
    expect(swap).toMatchObject({ status: 'completed', deposited_amount, refunded_amount });
    const published = harness.events.of(reply.order_id).map(({ envelope }) => envelope);
    const moved = published.filter(({ type }) => type === 'order-exception');
    const kinds = moved.map(({ data }) => (data['exception'] as { kind: string }).kind);
    expect(new Set(kinds)).toEqual(new Set(['deposit', 'refund']));
    expect(published.at(-1)).toMatchObject({
      type: 'order-refunded',
      data: { status: 'settled', refunded_amount, forwarded_amount: refunded_amount },
    });
  });

  it('waits for an operator after a second deposit by another account', async () => {
    const reply = await order();
    const amount = depositOf(reply);
    const [payer, second] = [await newPayer(amount), await newPayer(amount)];
    await send(reply, amount, payer, weth());
    await refundsAre(reply.order_id, { state: 'sent', recipient: payer.address });
    const surplus = await harness.chain.balanceOf(payer.address, weth());
    await send(reply, amount, second, weth());
    await refundsAre(reply.order_id, { state: 'manual', amount: String(amount) }, { state: 'sent' });
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(surplus);
    expect(await harness.chain.balanceOf(second.address, weth())).toBe(0n);
  });

  it('excludes amounts that arrive after its sender was found', async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const payer = await newPayer(amount);
    const { address } = await refundOf(reply.order_id);
    // The gas for the transfer does not arrive yet.
    sentThrough(({ to }) => to === address);
    await send(reply, amount, payer, weth());
    await refundsAre(reply.order_id, { state: 'pending', recipient: payer.address });
    await harness.chain.transfer(address, 7n, weth());
    node.passThrough();
    await refundsAre(
      reply.order_id,
      { state: 'manual', amount: '7' },
      { state: 'sent', amount: String(amount), recipient: payer.address },
    );
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(amount);
    expect(await refundOf(reply.order_id)).toMatchObject({ reason: 'AMOUNTS_DIFFER' });
  });

  it('pays only its own gas when it is in coins', async () => {
    const reply = await order({ pay_token: 'ETH', merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const payer = await newPayer(1n, amount + 10n ** 17n);
    await send(reply, amount, payer);
    const before = await harness.chain.balanceOf(payer.address);
    const { cross_chain } = await refundsAre(reply.order_id, { state: 'sent', recipient: payer.address });
    const [refund] = cross_chain!.forwarded_refunds;
    expect((await harness.chain.balanceOf(payer.address)) - before).toBe(BigInt(refund!.amount));
    const most = await harness.database.query<{ cost: string }>(
      'SELECT reserve::text AS cost FROM refund_transactions WHERE hash = $1',
      [refund!.tx_hash],
    );
    expect(BigInt(cross_chain!.refunded_amount!) - BigInt(refund!.amount)).toBe(BigInt(most[0]!.cost));
    const { address } = await refundOf(reply.order_id);
    expect(await harness.chain.balanceOf(address)).toBeLessThan(BigInt(most[0]!.cost));
  });

  it('lists no order under its refund address', async () => {
    const reply = await order();
    const { address } = await refundOf(reply.order_id);
    await harness.eventsOf(reply.order_id);
    const [created] = harness.events.of(reply.order_id);
    expect(created!.envelope.data).toMatchObject({ payer_address: address, refund_account: true });
    const rows = await harness.database.query('SELECT 1 FROM orders WHERE payer_address = $1', [address]);
    expect(rows).toHaveLength(1);
    const listedOrders = await harness.call(ordersApi.operations.listOrders, { payer: address });
    expect(listedOrders.count).toBe(0);
  });
});

/** Records the raw transactions that the app sends, including those that do not reach the node. */
function sentThrough(isHeld: (raw: Transaction) => boolean): Transaction[] {
  const sent: Transaction[] = [];
  node.answer(async ({ body }, forward) => {
    const { method, params } = JSON.parse(body) as { method: string; params: string[] };
    if (method !== 'eth_sendRawTransaction') return forward();
    const transaction = Transaction.from(params[0]);
    sent.push(transaction);
    return isHeld(transaction) ? { status: 502 } : forward();
  });
  return sent;
}

describe('a process that dies between signing and sending', () => {
  it('leaves the signed transaction to the next process, which sends it once', async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const payer = await newPayer(amount);
    const held = sentThrough(({ to }) => to?.toLowerCase() === weth().toLowerCase());
    await send(reply, amount, payer, weth());
    await eventually(async () => {
      await Promise.all([harness.chain.anvil.mine(), harness.otherChain!.anvil.mine()]);
      expect(held.some(({ to }) => to?.toLowerCase() === weth().toLowerCase())).toBe(true);
    });
    expect(await refundOf(reply.order_id)).toMatchObject({ state: 'sending' });
    await harness.stopApps();
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(0n);
    node.passThrough();
    await Promise.all([harness.startApp(), harness.startApp()]);
    await refundsAre(reply.order_id, { state: 'sent', amount: String(amount), recipient: payer.address });
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(amount);
    expect(await transfersTo(payer.address)).toBe(2);
    const hashes = new Set(
      held.filter(({ to }) => to?.toLowerCase() === weth().toLowerCase()).map(({ hash }) => hash),
    );
    const { cross_chain } = await harness.getOrder(reply.order_id);
    expect([...hashes]).toEqual([cross_chain!.forwarded_refunds[0]!.tx_hash]);
  });

  it('sends each refund once when several replicas process it concurrently', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => order({ merchant_amount: undeliverable })));
    const payers: HDNodeWallet[] = [];
    for (const reply of replies) {
      const payer = await newPayer(depositOf(reply));
      payers.push(payer);
      await send(reply, depositOf(reply), payer, weth());
    }
    const workers = harness.apps.map((app) => app.context.get(RefundsWorker));
    let isDone = false;
    const look = async (): Promise<void> => {
      while (!isDone) {
        await Promise.allSettled([
          harness.database.query('UPDATE refunds SET check_at = now() WHERE check_at IS NOT NULL'),
          ...[...workers, ...workers].map((worker) => worker.step()),
          new Promise((resolve) => setTimeout(resolve, 20)),
        ]);
      }
    };
    const looking = look();
    try {
      for (const [at, reply] of replies.entries())
        await refundsAre(reply.order_id, { state: 'sent', recipient: payers[at]!.address });
    } finally {
      isDone = true;
      await looking;
    }
    for (const payer of payers) expect(await transfersTo(payer.address)).toBe(2);
  });
});

describe('a stale replica', () => {
  const later = new Date(Date.now() + 60 * 60_000);

  it('does not postpone an address with newer activity', async () => {
    const { order_id: id } = await order();
    const addresses = harness.apps[0]!.context.get(RefundAddressesRepository);
    const [sinceMs, newsMs] = [Date.now() - 1_000, Date.now()];
    await harness.database.query(
      'UPDATE refund_addresses SET since = $2, check_at = $3 WHERE order_id = $1',
      [id, new Date(newsMs), later],
    );
    const read = 'SELECT check_at FROM refund_addresses WHERE order_id = $1';
    await addresses.postpone({ orderId: id, sinceMs }, null);
    expect(await harness.database.query(read, [id])).toEqual([{ check_at: later }]);
    await addresses.postpone({ orderId: id, sinceMs: newsMs }, null);
    expect(await harness.database.query(read, [id])).toEqual([{ check_at: null }]);
  });

  it('signs no transfer to a receiver that the operator did not choose', async () => {
    const { order_id: orderId } = await order();
    const [known, named] = [merchant, HDNodeWallet.createRandom().address];
    const [row] = await harness.database.query<{ id: string }>(
      `INSERT INTO refunds (id, order_id, state, amount, recipient, check_at, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'ready', 5, $2, $3, now(), now()) RETURNING id`,
      [orderId, named, later],
    );
    const transactions = harness.apps[0]!.context.get(RefundTransactionsRepository);
    const moving = { chain: base, sender: merchant, amountAtomic: 5n, reserveAtomic: 0n };
    const sign = () => Promise.reject(new Error('signed'));
    const add = (recipient: string, amountAtomic: bigint) =>
      transactions.add({ id: row!.id, recipient, amountAtomic }, 'forwardSigned', {
        ...moving,
        minedCount: 0,
        sign,
      });
    expect(await add(known, 5n)).toBeUndefined();
    expect(await add(named, 4n)).toBeUndefined();
    await expect(add(named, 5n)).rejects.toThrow('signed');
  });
});

describe('a refund that waits for an operator', () => {
  const decider = (n: number) => ({
    operator: `operator-${n}`,
    caller: 'command:refunds',
    reason: '',
    requestId: String(n),
  });
  const recordedOf = async (id: string): Promise<string[]> =>
    (
      await harness.database.query<{ text: string }>(
        "SELECT action || ' ' || outcome AS text FROM operator_actions WHERE target = $1 ORDER BY 1",
        [id],
      )
    ).map(({ text }) => text);

  /** Expects that the order fails and its refund waits for an operator. */
  async function waits(reply: CreateOrderReply, code: string): Promise<RefundRow> {
    await refundsAre(reply.order_id, { state: 'manual' });
    const row = await refundOf(reply.order_id);
    expect(row.reason).toBe(code);
    expect(await harness.chain.balanceOf(row.address, weth())).toBeGreaterThan(0n);
    return row;
  }

  it('waits when a contract sent the deposit, and pays the receiver that an operator chooses exactly once', async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const payer = await newPayer(amount);
    await send(reply, amount, payer, weth());
    await harness.chain.anvil.send('anvil_setCode', [payer.address, '0x60006000']);
    const { id } = await waits(reply, 'SENDER_HAS_CODE');
    const receiver = HDNodeWallet.createRandom().address;
    const refunds = harness.apps[0]!.context.get(ManualRefundsRepository);
    const decisions = new ManualDecisions(harness.apps[0]!.context.get(Database), refunds);
    const decided = await Promise.allSettled(
      [1, 2, 3].map((n) => decisions.forward(id, receiver, decider(n))),
    );
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await recordedOf(id)).toEqual([
      'refund-forward done',
      'refund-forward failed',
      'refund-forward failed',
    ]);
    await refundsAre(reply.order_id, { state: 'sent', recipient: receiver, amount: String(amount) });
    expect(await harness.chain.balanceOf(receiver, weth())).toBe(amount);
    expect(await refunds.close({ id, orderId: reply.order_id }, 'again', 'operator-1')).toBe(false);
    await expect(decisions.close(id, 'again', decider(1))).rejects.toThrow('No refund with this id waits');
    expect(await recordedOf(id)).toContain('refund-close failed');
  });

  it('waits again after an operator closed it, because the operator may have paid the remaining amount otherwise', async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const payer = await newPayer(amount);
    await harness.chain.anvil.send('anvil_setCode', [payer.address, '0x60006000']);
    await send(reply, amount, payer, weth());
    const { id } = await waits(reply, 'SENDER_HAS_CODE');
    await harness.chain.anvil.send('anvil_setCode', [payer.address, '0x']);
    const refunds = harness.apps[0]!.context.get(ManualRefundsRepository);
    const decisions = new ManualDecisions(harness.apps[0]!.context.get(Database), refunds);
    await expect(decisions.forward(id, 'no address', decider(1))).rejects.toThrow('cannot be used');
    await decisions.close(id, 'paid from elsewhere', decider(1));
    expect(await recordedOf(id)).toEqual(['refund-close done', 'refund-forward failed']);
    const [row] = await harness.database.query<{ waits: boolean }>(
      "SELECT check_at > now() + interval '20 minutes' AS waits FROM refund_addresses WHERE order_id = $1",
      [reply.order_id],
    );
    expect(row).toEqual({ waits: true });
    await harness.database.query('UPDATE refund_addresses SET check_at = now() WHERE order_id = $1', [
      reply.order_id,
    ]);
    await refundsAre(reply.order_id, { state: 'manual', amount: String(amount) }, { state: 'closed' });
    expect(await refundOf(reply.order_id)).toMatchObject({ reason: 'CLOSED_BEFORE' });
    expect(await harness.chain.balanceOf(payer.address, weth())).toBe(0n);
  });

  it('waits when the deposit has several senders', async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const [payer, attacker] = [await newPayer(amount), await newPayer(1n)];
    await send(reply, 1n, attacker, weth());
    await send(reply, amount, payer, weth());
    await waits(reply, 'SEVERAL_SENDERS');
  });

  it('waits when the operator listed the sender', async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const exchange = walletOf(listed).connect(harness.chain.anvil.provider);
    await harness.chain.transfer(exchange.address, amount, weth());
    await send(reply, amount, exchange, weth());
    await waits(reply, 'SENDER_IS_LISTED');
  });

  it('waits when the sender has more transactions than usual for a payer', async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const payer = await newPayer(amount);
    await send(reply, amount, payer, weth());
    await harness.chain.anvil.send('anvil_setNonce', [payer.address, '0x1f5']);
    await waits(reply, 'SENDER_IS_BUSY');
  });

  it('waits when a stranger added an amount', async () => {
    const reply = await order({ merchant_amount: undeliverable });
    const amount = depositOf(reply);
    const payer = await newPayer(amount);
    const { address } = await refundOf(reply.order_id);
    await harness.chain.transfer(address, 5n, weth());
    await send(reply, amount, payer, weth());
    await waits(reply, 'AMOUNTS_DIFFER');
  });

  it('waits on a chain without a node', async () => {
    const reply = await order({ pay_blockchain: 'btc', pay_token: 'BTC', merchant_amount: undeliverable });
    const { deposit_address: depositAddress, deposit_memo: memo } = reply.cross_chain!;
    await harness.oneClick.deposit({ depositAddress, ...(memo && { depositMemo: memo }) }, depositOf(reply));
    await refundsAre(reply.order_id, { state: 'manual', recipient: null, tx_hash: null });
    const row = await refundOf(reply.order_id);
    expect(row).toMatchObject({ reason: 'NO_NODE', address: btcAccount });
    const refunds = harness.apps[0]!.context.get(ManualRefundsRepository);
    const refund = { id: row.id, orderId: reply.order_id };
    expect(await refunds.close(refund, 'sent by hand', 'operator-1')).toBe(true);
    await refundsAre(reply.order_id, { state: 'closed' });
  });
});

it('an order without a payer is rejected on a chain without a refund account, and when it is direct', async () => {
  const { createPayerlessOrder, refundChains } = payerlessOrdersApi.operations;
  const tron = { ...terms, pay_blockchain: 'tron', pay_token: 'USDT' };
  expect(await harness.failureOf(createPayerlessOrder as never, tron)).toMatchObject({
    code: 'ROUTE_UNAVAILABLE',
  });
  const direct = { ...terms, pay_blockchain: arbitrum, pay_token: 'USDC' };
  expect(await harness.failureOf(createPayerlessOrder as never, direct)).toMatchObject({
    code: 'ROUTE_UNAVAILABLE',
  });
  const { chains } = await harness.call(refundChains, {});
  expect(chains.map(({ chain }) => chain).sort()).toEqual(['btc', arbitrum, base].sort());
});
