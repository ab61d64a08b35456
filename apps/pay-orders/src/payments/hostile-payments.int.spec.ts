import { OrderChanged, type CreateOrderReply } from '@tollbridge/contracts';
import { callContext, decode, walletPrincipal } from '@tollbridge/rpc';
import { orderIdToBytes16, tollbridgePayAbi } from '@tollbridge/onchain';
import type { PayTerms } from '@tollbridge/local-chain';
import { eventually } from '@tollbridge/testing';
import {
  concat,
  Contract,
  dataSlice,
  Interface,
  ParamType,
  toUtf8Bytes,
  ZeroAddress,
  type InterfaceAbi,
} from 'ethers';
import { Client } from 'pg';
import { feeReceiver, merchant, PayOrders } from '../testing/pay-orders';

const stranger = '0x3333333333333333333333333333333333333333';
const confirmations = 2;
let harness: PayOrders;
let lookAlike: string;

beforeAll(async () => {
  harness = await PayOrders.start({ confirmations, otherChainId: 42161 });
  lookAlike = await harness.chain.deployLookAlike();
});
afterAll(() => harness?.close());

const less = (amount: string): string => String(BigInt(amount) - 1n);
const termsOf = (reply: CreateOrderReply): PayTerms => reply.direct!.payment_order;

/** Pays with a token name of arbitrary bytes, which the contract accepts. ethers itself only writes valid text. */
async function payNamed(terms: PayTerms, name: Uint8Array): Promise<string> {
  const contract = new Interface(tollbridgePayAbi as InterfaceAbi);
  const pay = contract.getFunction('pay')!;
  const asBytes = pay.inputs[0]!.format('full').replaceAll('string ', 'bytes ');
  const order = { ...terms, order_id: orderIdToBytes16(terms.order_id), token_in: name };
  const encoded = contract
    .getAbiCoder()
    .encode([ParamType.from(asBytes)], [{ ...order, token_out: toUtf8Bytes(terms.token_out) }]);
  const data = concat([dataSlice(pay.selector, 0, 4), encoded]);
  const { hash } = await harness.chain.payer.sendTransaction({ to: harness.chain.payContract, data });
  await harness.chain.mined(hash);
  return hash;
}

async function transfer(to: string, amount: string): Promise<string> {
  const abi = ['function transfer(address to, uint256 amount) returns (bool)'];
  const usdc = new Contract(harness.chain.usdc.address, abi, harness.chain.payer);
  const { hash } = await usdc.getFunction('transfer').send(to, amount);
  await harness.chain.mined(hash);
  return hash;
}

const claimsOf = (id: string) =>
  harness.database.query('SELECT tx_hash FROM tx_claims WHERE order_id = $1', [id]);

/** Locks the row of an order until the returned function is called. */
async function lockOrder(id: string): Promise<() => Promise<void>> {
  const owner = new Client({ connectionString: harness.database.ownerUrl });
  await owner.connect();
  await owner.query('BEGIN');
  await owner.query('SELECT FROM orders WHERE id = $1 FOR UPDATE', [id]);
  return () => owner.end();
}

/** Resolves when this many transactions wait for a row lock. */
const untilWaiting = (count: number) =>
  eventually(async () => {
    const waiting = `SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database()`;
    expect((await harness.database.query(waiting)).length).toBeGreaterThanOrEqual(count);
  });

interface Attack {
  name: string;
  reason: RegExp;
  /** Creates the transaction that is reported for an order with these terms. */
  make(terms: PayTerms): Promise<string>;
}

const differing = (name: string, field: RegExp, changed: (terms: PayTerms) => Partial<PayTerms>): Attack => ({
  name,
  reason: new RegExp(`^PAYMENT_MISMATCH: ${field.source}`),
  make: (terms) => harness.chain.pay({ ...terms, ...changed(terms) }),
});

const attacks: Attack[] = [
  {
    name: "another payer's payment",
    reason: /^PAYS_ANOTHER_ORDER: /,
    make: async () =>
      harness.chain.pay(termsOf(await harness.createOrder()), { from: harness.chain.stranger }),
  },
  {
    name: "the payer's own payment of another order, settled long ago",
    reason: /^PAYS_ANOTHER_ORDER: /,
    async make() {
      const other = await harness.createOrder();
      const hash = await harness.chain.pay(termsOf(other));
      await harness.chain.anvil.mine(confirmations);
      await harness.orderWith(other.order_id, { status: 'settled' });
      return hash;
    },
  },
  {
    name: 'a payment that reverted',
    reason: /^TX_REVERTED: /,
    make: (terms) => harness.chain.pay({ ...terms, amount_in: less(terms.amount_in) }, { isForced: true }),
  },
  {
    name: "a payment to a contract with the payment contract's own code",
    reason: /^OTHER_CONTRACT: /,
    make: (terms) => harness.chain.pay(terms, { contract: lookAlike }),
  },
  {
    name: 'a transfer to the merchant past the contract',
    reason: /^UNKNOWN_SENDER: the merchant received 100000000 of 100500000 /,
    make: ({ merchant_amount }) => transfer(merchant, merchant_amount),
  },
  {
    name: 'a transaction that calls nothing',
    reason: /^NO_PAYMENT: /,
    async make() {
      const { hash } = await harness.chain.payer.sendTransaction({ to: stranger, value: 1n });
      await harness.chain.mined(hash);
      return hash;
    },
  },
  differing('another token that calls itself USDC', /token_in_address is 0x/, () => ({
    token_in_address: harness.chain.fakeUsdc.address,
  })),
  differing('the native coin instead of the token', /token_in_address is 0x0{40}, not/, () => ({
    token_in_address: ZeroAddress,
  })),
  differing(
    'a unit too little',
    /amount_in is 100499999, not 100500000; merchant_amount is 99999999/,
    (terms) => ({
      amount_in: less(terms.amount_in),
      merchant_amount: less(terms.merchant_amount),
    }),
  ),
  differing(
    'a unit too much',
    /amount_in is 100500001, not 100500000; merchant_amount is 100000001/,
    (terms) => ({
      amount_in: String(BigInt(terms.amount_in) + 1n),
      merchant_amount: String(BigInt(terms.merchant_amount) + 1n),
    }),
  ),
  differing('another receiver', /merchant is 0x3{40}, not 0x1{40}$/, () => ({ merchant: stranger })),
  differing('another receiver of the fee', /fee_receiver is 0x3{40}, not 0x2{40}$/, () => ({
    fee_receiver: stranger,
  })),
  differing(
    'merchant and fee receiver exchanged',
    /merchant is 0x2{40}, not 0x1{40}; fee_receiver is 0x1{40}, not 0x2{40}$/,
    () => ({ merchant: feeReceiver, fee_receiver: merchant }),
  ),
  differing(
    'a part of the fee given to the merchant',
    /merchant_amount is 100000001.*; fee_amount is 499999/,
    (terms) => ({
      merchant_amount: String(BigInt(terms.merchant_amount) + 1n),
      fee_amount: less(terms.fee_amount),
    }),
  ),
  differing('a later deadline', /deadline is \d+, not \d+$/, ({ deadline }) => ({ deadline: deadline + 1 })),
  differing('another name of the token', /token_in is USDT, not USDC$/, () => ({ token_in: 'USDT' })),
  differing('a payment without any right field', /token_in is x{80}, not USDC; .*; and \d more$/, () => ({
    token_in: 'x'.repeat(128),
    token_out: 'y'.repeat(128),
    amount_in: '3',
    token_in_address: harness.chain.fakeUsdc.address,
    merchant: stranger,
    merchant_amount: '2',
    fee_receiver: merchant,
    fee_amount: '1',
    deadline: 4_000_000_000,
  })),
  {
    name: 'a name of the token with a zero byte, which PostgreSQL cannot store',
    reason: /^PAYMENT_MISMATCH: token_in is 0x5553444300, not USDC$/,
    make: (terms) => payNamed(terms, toUtf8Bytes('USDC\0')),
  },
  {
    name: 'a token name that is not text',
    reason: /^PAYMENT_MISMATCH: token_in is 0xfffe, not USDC$/,
    make: (terms) => payNamed(terms, Uint8Array.of(0xff, 0xfe)),
  },
];

/** Event types without exceptions, which change no state. */
const stateEventsOf = async (id: string): Promise<string[]> =>
  (await harness.eventsOf(id)).filter((type) => type !== 'order-exception');

describe('a report of a wrong payment', () => {
  const orders = new Map<string, CreateOrderReply>();

  beforeAll(async () => {
    for (const { name, make } of attacks) {
      const order = await harness.createOrder();
      const hash = await make(termsOf(order));
      expect(await harness.report(order.order_id, hash)).toBe('settling');
      orders.set(name, order);
    }
    await harness.chain.anvil.mine(confirmations);
  });

  it.each(attacks.map(({ name, reason }) => [name, reason] as const))(
    'leaves the order waiting after %s, with the reason, and settles nothing',
    async (name, reason) => {
      const { order_id: id } = orders.get(name)!;

      const order = await harness.orderWith(id, { status: 'waiting_payment' });

      expect(order).toMatchObject({
        failure_reason: null,
        pay_tx: null,
        settle_tx: null,
        settled_amount: null,
        confirmations: 0,
        late: false,
        last_report: { outcome: 'rejected', reason: expect.stringMatching(reason) },
      });
      // The transaction can be reported for the order that it pays. Only a transfer to the merchant stays claimed.
      expect(await claimsOf(id)).toHaveLength(order.exceptions.length);
      expect(await stateEventsOf(id)).toEqual(['order-created', 'order-settling', 'order-reopened']);
      const { data } = harness.events.of(id).at(-1)!.envelope;
      expect(data).toMatchObject({
        failure_reason: null,
        last_report_tx: order.last_report!.tx_hash,
        last_report_reason: order.last_report!.reason,
        settled_amount: null,
        paid_by: null,
      });
      expect(decode(OrderChanged, data)).toMatchObject({ ok: true });
    },
  );

  it('does not prevent a later correct payment from settling the order in time', async () => {
    const paidBy = new Map<string, string>();
    for (const order of orders.values()) {
      await harness.orderWith(order.order_id, { status: 'waiting_payment' });
      // This payment is not reported.
      paidBy.set(order.order_id, await harness.chain.pay(termsOf(order)));
    }
    await harness.chain.anvil.mine(confirmations);

    for (const [id, hash] of paidBy) {
      await harness.orderWith(id, {
        status: 'settled',
        late: false,
        failure_reason: null,
        settle_tx: hash,
        settled_amount: '100000000',
      });
      expect(await stateEventsOf(id)).toEqual([
        'order-created',
        'order-settling',
        'order-reopened',
        'order-settling',
        'order-settled',
      ]);
      const { data } = harness.events.of(id).at(-1)!.envelope;
      expect(data).toMatchObject({ paid_by: harness.chain.payer.address });
    }
  });
});

describe('a payment without a report', () => {
  it('neither settles nor blocks the order when a stranger pays on other terms', async () => {
    const order = await harness.createOrder();
    const { order_id: id } = order;
    const terms = termsOf(order);
    const penny = { ...terms, amount_in: '1', merchant_amount: '1', fee_amount: '0' };
    await harness.chain.pay({ ...penny, merchant: stranger }, { from: harness.chain.stranger });
    await payNamed(terms, Uint8Array.of(0xff));
    await harness.chain.anvil.mine(confirmations);
    await harness.caughtUp();

    expect(await harness.getOrder(id)).toMatchObject({ status: 'waiting_payment', pay_tx: null });
    const wrong = await harness.database.query(
      'SELECT mismatch FROM payments WHERE order_id = $1 ORDER BY height',
      [id],
    );
    expect(wrong).toEqual([
      { mismatch: expect.stringContaining('merchant_amount is 1, not 100000000') },
      { mismatch: 'token_in is 0xff, not USDC' },
    ]);

    const hash = await harness.chain.pay(terms);
    await harness.chain.anvil.mine(confirmations);
    await harness.orderWith(id, { status: 'settled', settle_tx: hash, late: false });
    expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
  });

  it('changes nothing for an unknown order', async () => {
    const order = await harness.createOrder();
    const foreign = { ...termsOf(order), order_id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' };

    await harness.chain.pay(foreign);
    await harness.caughtUp();

    const [stored] = await harness.database.query('SELECT count(*) FROM payments WHERE order_id = $1', [
      foreign.order_id,
    ]);
    expect(stored).toEqual({ count: '0' });
    expect(await harness.getOrder(order.order_id)).toMatchObject({ status: 'waiting_payment' });
  });

  it('does not count on another chain with the same contract and token addresses', async () => {
    const other = harness.otherChain!;
    const order = await harness.createOrder();
    expect([other.payContract, other.usdc.address]).toEqual([
      harness.chain.payContract,
      harness.chain.usdc.address,
    ]);

    await other.pay(termsOf(order));
    await other.anvil.mine(confirmations);
    await harness.caughtUp(other);

    expect(await harness.getOrder(order.order_id)).toMatchObject({ status: 'waiting_payment' });
    const there = await harness.createOrder({ pay_blockchain: 'arb', settle_chain: 'arb' });
    const hash = await other.pay(termsOf(there));
    await other.anvil.mine(confirmations);
    await harness.orderWith(there.order_id, {
      status: 'settled',
      pay_blockchain: 'eip155:42161',
      settle_tx: hash,
    });
  });

  it('settles the order from any account', async () => {
    const order = await harness.createOrder();

    await harness.chain.pay(termsOf(order), { from: harness.chain.stranger });
    await harness.chain.anvil.mine(confirmations);

    await harness.orderWith(order.order_id, { status: 'settled' });
  });

  it('settles an order once, because the contract rejects a second payment', async () => {
    const order = await harness.createOrder();
    const hash = await harness.chain.pay(termsOf(order));
    await harness.chain.anvil.mine(confirmations);
    await harness.orderWith(order.order_id, { status: 'settled' });

    const again = await harness.chain.pay(termsOf(order), { from: harness.chain.stranger, isForced: true });
    await harness.chain.anvil.mine(confirmations);
    await harness.caughtUp();

    expect(await harness.report(order.order_id, again)).toBe('ORDER_NOT_WAITING');
    expect(await harness.getOrder(order.order_id)).toMatchObject({ status: 'settled', settle_tx: hash });
    expect(await harness.eventsOf(order.order_id)).toEqual([
      'order-created',
      'order-settling',
      'order-settled',
    ]);
  });

  it('settles an order in the native coin with its exact value', async () => {
    const order = await harness.createOrder({ pay_token: 'ETH', settle_token: 'ETH' });

    const hash = await harness.chain.pay(termsOf(order));
    await harness.chain.anvil.mine(confirmations);

    await harness.orderWith(order.order_id, {
      status: 'settled',
      settle_tx: hash,
      settled_amount: '100000000',
    });
  });

  it('settles an order in a token with 18 decimals exactly', async () => {
    const amount = '123456789012345678901';
    const order = await harness.createOrder({
      pay_token: 'DAI',
      settle_token: 'DAI',
      merchant_amount: amount,
    });

    await harness.chain.pay(termsOf(order));
    await harness.chain.anvil.mine(confirmations);

    await harness.orderWith(order.order_id, { status: 'settled', settled_amount: amount });
  });
});

describe('a report by a faster attacker', () => {
  it("leaves only the attacker's order unpaid when it uses the victim's hash", async () => {
    const [victim, attacker] = [await harness.createOrder(), await harness.createOrder()];
    await harness.chain.anvil.setAutomine(false);
    const hash = await harness.chain.send(termsOf(victim));

    expect(await harness.report(attacker.order_id, hash)).toBe('settling');
    expect(await harness.report(victim.order_id, hash)).toBe('TX_ALREADY_REPORTED');
    await harness.chain.anvil.setAutomine(true);
    await harness.chain.anvil.mine(confirmations);

    await harness.orderWith(victim.order_id, { status: 'settled', settle_tx: hash, late: false });
    await harness.orderWith(attacker.order_id, {
      status: 'waiting_payment',
      last_report: expect.objectContaining({
        outcome: 'rejected',
        reason: 'PAYS_ANOTHER_ORDER: the reported transaction pays another order',
      }),
    });
    expect(await harness.eventsOf(victim.order_id)).toEqual([
      'order-created',
      'order-settling',
      'order-settled',
    ]);
    // The victim's report is answered as if it were the first one.
    expect(await harness.report(victim.order_id, hash)).toBe('settling');
    expect(await harness.report(victim.order_id, hash)).toBe('ORDER_NOT_WAITING');
  });

  it("does not prevent the victim's payment from settling in time when it invents a hash", async () => {
    const victim = await harness.createOrder();
    const madeUp = `0x${'66'.repeat(32)}`;
    expect(await harness.report(victim.order_id, madeUp)).toBe('settling');

    const seen = () =>
      harness.events
        .of(victim.order_id)
        .filter(({ envelope }) => envelope.type === 'order-settling')
        .map(({ envelope }) => envelope.data['payment_seen']);
    await eventually(() => expect(seen()).toEqual([false]));

    const hash = await harness.chain.pay(termsOf(victim));
    await eventually(() => expect(seen()).toEqual([false, true]));
    await harness.chain.anvil.mine(confirmations);

    await harness.orderWith(victim.order_id, {
      status: 'settled',
      pay_tx: hash,
      settle_tx: hash,
      late: false,
    });
    expect(await harness.eventsOf(victim.order_id)).toEqual([
      'order-created',
      'order-settling',
      'order-settled',
    ]);
    // The invented hash can be reported again.
    expect(await harness.report((await harness.createOrder()).order_id, madeUp)).toBe('settling');
  });
});

describe("a stranger's report", () => {
  it('does not prevent a payer from reporting a mined payment, but prevents any other report', async () => {
    const order = await harness.createOrder();
    const { order_id: id } = order;
    expect(await harness.report(id, `0x${'67'.repeat(32)}`)).toBe('settling');
    expect(await harness.report(id, `0x${'68'.repeat(32)}`)).toBe('ORDER_NOT_WAITING');

    const hash = await harness.chain.pay(termsOf(order));
    expect(await harness.report(id, hash)).toBe('settling');
    await harness.chain.anvil.mine(confirmations);

    const paid = await harness.orderWith(id, { status: 'settled', settle_tx: hash, late: false });
    expect(paid.last_report).toMatchObject({ tx_hash: hash, outcome: 'paid', reason: null });
    expect(await claimsOf(id)).toEqual([{ tx_hash: hash }]);
  });

  it('does not prevent a payer from reporting a payment that the watcher finds during the report', async () => {
    const order = await harness.createOrder();
    const { order_id: id } = order;
    expect(await harness.report(id, `0x${'69'.repeat(32)}`)).toBe('settling');
    await harness.chain.anvil.setAutomine(false);
    const hash = await harness.chain.send(termsOf(order));

    const unlock = await lockOrder(id);
    const report = harness.report(id, hash);
    await untilWaiting(1);
    // The watcher waits for the same lock, so the report sees the order before and after its update.
    await harness.chain.anvil.setAutomine(true);
    await harness.chain.anvil.mine(1);
    await untilWaiting(2);
    await unlock();

    expect(await report).toBe('settling');
    expect((await harness.getOrder(id)).last_report).toMatchObject({ tx_hash: hash });
    expect(await harness.report(id, hash)).toBe('ORDER_NOT_WAITING');
    await harness.chain.anvil.mine(confirmations);
    await harness.orderWith(id, { status: 'settled', settle_tx: hash, late: false });
    expect(await claimsOf(id)).toEqual([{ tx_hash: hash }]);
  });
});

describe('plain transfers to the merchant', () => {
  const payer = () => harness.chain.payer.address;
  const withoutFee = (principal = walletPrincipal(payer())) =>
    harness.createOrder(
      { payer_address: payer(), fee_amount: '0', fee_receiver: '' },
      callContext({ principal }),
    );

  async function reportTransfer(id: string, amount: string): Promise<string> {
    const hash = await transfer(merchant, amount);
    await harness.chain.anvil.mine(confirmations);
    expect(await harness.report(id, hash)).toBe('settling');
    return hash;
  }

  /** Expires all orders that a transfer of the payer could belong to. */
  const expireAll = () =>
    harness.database.query("UPDATE orders SET status = 'expired' WHERE status = 'waiting_payment'");

  it.each<[string, (hash: string, thiefsOrder: string, own: string) => Promise<void>]>([
    [
      'before the report is decided',
      async (hash, _thiefsOrder, own) => {
        expect(await harness.report(own, hash)).toBe('TX_ALREADY_REPORTED');
        await harness.chain.anvil.mine(confirmations);
      },
    ],
    [
      'after the report was decided',
      async (hash, thiefsOrder, own) => {
        await harness.chain.anvil.mine(confirmations);
        await harness.orderWith(thiefsOrder, { status: 'waiting_payment', exceptions: [] });
        expect(await harness.report(own, hash)).toBe('settling');
      },
    ],
  ])(
    'complete the order of their sender, even if a stranger reports them for another order, %s',
    async (_case, reported) => {
      const [{ order_id: own }, { order_id: thiefsOrder }] = [await withoutFee(), await withoutFee('public')];
      const hash = await transfer(merchant, '100000000');
      expect(await harness.report(thiefsOrder, hash)).toBe('settling');
      await reported(hash, thiefsOrder, own);

      await harness.orderWith(own, { status: 'settled', settle_tx: hash, exceptions: [] });
      await harness.orderWith(thiefsOrder, { status: 'waiting_payment', exceptions: [] });
    },
  );

  it('become exceptions of the order that a stranger reports them for when their sender has no waiting order', async () => {
    const [, { order_id: id }] = [await withoutFee(), await withoutFee('public')];
    const hash = await reportTransfer(id, '100000000');
    await harness.orderWith(id, { status: 'waiting_payment', exceptions: [] });
    await expireAll();
    await harness.database.query('UPDATE displaced_reports SET check_at = now() WHERE order_id = $1', [id]);

    const reason = expect.stringMatching(/^UNKNOWN_SENDER: /);
    await harness.orderWith(id, { exceptions: [expect.objectContaining({ tx_hash: hash, reason })] });
  });

  it('stay under check for an order at most five times while other orders have claimed them', async () => {
    const [{ order_id: first }, { order_id: id }] = [await withoutFee(), await withoutFee()];
    for (let at = 0; at < 7; at++) {
      const hash = `0x${String(at).repeat(64)}`;
      await harness.database.query(
        'INSERT INTO tx_claims (chain, tx_hash, order_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [harness.chain.id, hash, first],
      );
      expect(await harness.report(id, hash)).toBe('TX_ALREADY_REPORTED');
    }
    const followed = 'SELECT count(*)::int AS count FROM displaced_reports WHERE order_id = $1';
    expect(await harness.database.query(followed, [id])).toEqual([{ count: 5 }]);
  });

  it('become exceptions with amount, hash and reason, and two partial transfers complete the order', async () => {
    const { order_id: id } = await withoutFee();
    const first = await reportTransfer(id, '40000000');
    const waiting = await harness.orderWith(id, { status: 'waiting_payment' });
    const reason = 'PARTIAL_TRANSFER: the merchant received 40000000 of 100000000 by plain transfer';
    expect(waiting).toMatchObject({
      last_report: { tx_hash: first, outcome: 'rejected', reason },
      exceptions: [{ kind: 'transfer', token: 'USDC', amount: '40000000', tx_hash: first, reason }],
    });
    const published = await eventually(async () => {
      const found = harness.events.of(id).find(({ envelope }) => envelope.type === 'order-exception');
      expect(found).toBeDefined();
      return found!;
    });
    expect(decode(OrderChanged, published.envelope.data)).toMatchObject({
      ok: true,
      value: { exception: waiting.exceptions[0] },
    });

    const second = await reportTransfer(id, '60000000');
    await harness.orderWith(id, {
      status: 'settled',
      settle_tx: second,
      settled_amount: '100000000',
      confirmations,
      late: false,
    });
  });

  it('become exceptions in another token, each for one order only', async () => {
    const [{ order_id: id }, other] = [await withoutFee(), await withoutFee()];
    const hash = await harness.chain.transfer(merchant, 100_000_000n, harness.chain.usdt.address);
    await harness.chain.anvil.mine(confirmations);
    expect(await harness.report(id, hash)).toBe('settling');
    const reason =
      'OTHER_TOKEN: the merchant received 100000000 of USDT on eip155:8453; the order is paid in USDC on eip155:8453';
    expect(await harness.orderWith(id, { status: 'waiting_payment' })).toMatchObject({
      last_report: { tx_hash: hash, outcome: 'rejected', reason },
      exceptions: [{ kind: 'transfer', token: 'USDT', amount: '100000000', tx_hash: hash, reason }],
    });
    expect(await harness.report(other.order_id, hash)).toBe('TX_ALREADY_REPORTED');
  });

  it('become exceptions on another chain when the chain of the order does not have them', async () => {
    const { order_id: id } = await withoutFee();
    const { otherChain } = harness;
    await otherChain!.anvil.mineAt(Math.ceil(Date.now() / 1_000) + 1);
    const hash = await otherChain!.transfer(merchant, 100_000_000n, otherChain!.usdc.address);
    await otherChain!.anvil.mine(20);
    expect(await harness.report(id, hash)).toBe('settling');
    await harness.database.query(
      "UPDATE orders SET pay_tx_since = pay_tx_since - interval '11 minutes', judge_at = now() WHERE id = $1",
      [id],
    );
    const reason =
      'OTHER_NETWORK: the merchant received 100000000 of USDC on eip155:42161; the order is paid in USDC on eip155:8453';
    expect(await harness.orderWith(id, { status: 'waiting_payment' })).toMatchObject({
      exceptions: [
        {
          kind: 'transfer',
          chain: 'eip155:42161',
          token: 'USDC',
          amount: '100000000',
          tx_hash: hash,
          reason,
        },
      ],
    });
  });

  it('cause an exception for a later payment by the contract, which changes no settlement', async () => {
    const order = await withoutFee();
    const { order_id: id } = order;
    const first = await reportTransfer(id, '100000000');
    const settled = await harness.orderWith(id, { status: 'settled', settle_tx: first, exceptions: [] });

    const second = await harness.chain.pay(termsOf(order));
    await harness.caughtUp();
    expect(await harness.getOrder(id)).toEqual(settled);
    expect(await harness.report(id, second)).toBe('ORDER_NOT_WAITING');
    await harness.chain.anvil.mine(confirmations - 1);

    const reason = `PAID_TWICE: the merchant received 100000000 by the contract, and ${first} had settled the order`;
    const exception = { kind: 'transfer', token: 'USDC', amount: '100000000', tx_hash: second, reason };
    const paidTwice = await harness.orderWith(id, { exceptions: [expect.objectContaining(exception)] });
    expect(paidTwice).toMatchObject({ status: 'settled', settle_tx: first, settled_amount: '100000000' });
    // Each transfer is reported only once, and this one has settled the order.
    expect(await claimsOf(id)).toEqual([{ tx_hash: first }]);
    expect(await harness.eventsOf(id)).toEqual([
      'order-created',
      'order-settling',
      'order-settled',
      'order-exception',
    ]);
  });

  it('count for one order only, and not for an order if its creator only stated their sender as the payer', async () => {
    const [one, other] = [await withoutFee(), await withoutFee()];
    const hash = await reportTransfer(one.order_id, '100000000');
    await harness.orderWith(one.order_id, { status: 'settled', settle_tx: hash });

    expect(await harness.report(other.order_id, hash)).toBe('TX_ALREADY_REPORTED');
    await expireAll();
    for (const thief of ['public', walletPrincipal(stranger)]) {
      const { order_id: id } = await withoutFee(thief);
      const another = await reportTransfer(id, '100000000');
      expect(await harness.orderWith(id, { status: 'waiting_payment' })).toMatchObject({
        exceptions: [
          { amount: '100000000', tx_hash: another, reason: expect.stringMatching(/^UNKNOWN_SENDER: /) },
        ],
      });
    }
  });
});
