import {
  internalDashboardApi,
  ledgerApi,
  orderEvents,
  payoutEvents,
  purchaseEvents,
  transactionEvents,
  type OrderChanged,
} from '@tollbridge/contracts';
import {
  BusConnection,
  EventPublisher,
  subjectOf,
  walletPrincipal,
  type EventDeclaration,
  developmentIdentity,
  eventHeaders,
} from '@tollbridge/rpc';
import { Database, retryDeadLetters } from '@tollbridge/database';
import { anEventEnvelope } from '@tollbridge/rpc/testing';
import { eventually } from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import { Merchant, randomWallet } from '../testing/merchant';
import { anOrderChanged } from './testing/order-changed.builder';

// An attacker with the bus credential of another app can publish any event of that app.

let merchant: Merchant;
const buses = new Map<string, BusConnection>();

beforeAll(async () => {
  merchant = await Merchant.start();
});
afterAll(async () => {
  for (const bus of buses.values()) await bus.close();
  await merchant?.close();
});

interface Published {
  id: string;
  data: unknown;
  aggregateId?: string;
  [field: string]: unknown;
}

/** Publishes events concurrently, without validating them. */
async function publish(event: EventDeclaration<any>, published: readonly Published[]): Promise<void> {
  const bus = buses.get(event.app) ?? (await BusConnection.open({ app: event.app, url: merchant.nats.url }));
  buses.set(event.app, bus);
  const publisher = new EventPublisher(bus, {
    signing: { identity: developmentIdentity(event.app), receivers: ['merchant'] },
  });
  const { type, version } = event;
  await publisher.publish(
    published.map((fields) => {
      const aggregateId = (fields.data as Partial<OrderChanged> | null)?.order_id ?? 'any';
      const envelope = anEventEnvelope({ type, version, aggregateId, ...fields });
      return {
        id: fields.id,
        subject: subjectOf(event, String(fields.aggregateId ?? aggregateId)),
        payload: JSON.stringify(envelope),
      };
    }),
  );
}

const deadLetters = async (): Promise<Map<string, string>> => {
  const rows = await merchant.database.query<{ event: string; reason: string }>(
    'SELECT event, reason FROM dead_letters',
  );
  return new Map(rows.map(({ event, reason }) => [(JSON.parse(event) as Published).id, reason]));
};
const proofOf = (wallet: string) =>
  merchant.call(ledgerApi.operations.proveLedger, {}, walletPrincipal(wallet));
const exportOf = async (wallet: string) =>
  (await merchant.call(internalDashboardApi.operations.exportPage, {}, walletPrincipal(wallet))).records;

type Changes = Record<string, unknown>;

const sixtyDigits = '9'.repeat(60);
/** Invalid changes to a settled order, and the expected parts of the reasons. */
const hostile: [string, Changes, string[]][] = [
  [
    'an amount of 60 digits',
    { merchant_amount: sixtyDigits, settled_amount: sixtyDigits },
    ['merchant_amount must be at most', 'settled_amount must be at most'],
  ],
  ['an amount of -5', { settled_amount: '-5' }, ['settled_amount must be a string of an integer']],
  [
    'an amount as a number',
    { merchant_amount: 1_000_000 },
    ['merchant_amount must be a string of an integer'],
  ],
  [
    'an amount that is not decimal',
    { settled_amount: '0x10', refunded_amount: '1e9' },
    ['refunded_amount must be', 'settled_amount must be'],
  ],
  ['a fee above the amount', { fee_amount: '1000001' }, ['fee_amount must not be above merchant_amount']],
  [
    'chains that do not exist',
    { settle_chain: 'eip155:424242', pay_blockchain: 'atlantis' },
    ['pay_blockchain is not a supported chain', 'settle_chain is not a supported chain'],
  ],
  ['another name of a chain', { settle_chain: 'base' }, ['settle_chain is not a supported chain']],
  [
    'missing fields',
    { order_id: undefined, merchant_address: undefined, version: undefined },
    ['order_id is missing', 'merchant_address is missing', 'version is missing'],
  ],
  [
    'fields of other types',
    { late: 'no', version: '3', token: 7, pay_token: ['USDC'], updated_at: 5 },
    ['late must be', 'version must be', 'pay_token must be', 'updated_at must be'],
  ],
  ['an unknown state', { status: 'stolen' }, ['status must be one of']],
  [
    'a malformed address',
    { merchant_address: '0x7099', paid_by: '0xZZ' },
    ['merchant_address must be an address', 'paid_by must be an address'],
  ],
  [
    'an address in another case',
    { merchant_address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' },
    ['merchant_address must be an address of settle_chain in its canonical form'],
  ],
  ['malformed hashes', { pay_tx: '0xa1', settle_tx: 'a1 b2' }, ['pay_tx must be', 'settle_tx must be']],
  [
    'a hash of another kind of chain',
    { settle_tx: 'a'.repeat(64) },
    ['settle_tx must be 0x and 64 hexadecimal digits'],
  ],
  ['a value of 60 digits', { settled_value_usd: sixtyDigits }, ['settled_value_usd must']],
  ['a version that no column holds', { version: 2 ** 40 }, ['version must be from 1 to']],
  ['a time that does not exist', { updated_at: '2026-02-30T12:00:00Z' }, ['updated_at must be a time']],
  ['an id that is not a UUID', { order_id: "'; DROP TABLE orders" }, ['order_id must be a uuid']],
  [
    'a text with control characters',
    { merchant_id: 'shop\u0000\u001b[2J' },
    ['merchant_id must not contain control characters'],
  ],
  ['an extra large payload', { padding: 'x'.repeat(200_000) }, ['event must have at most 65536 characters']],
];

describe('an event that is published with the bus credential of pay-orders, without its identity', () => {
  const event = orderEvents['order-settled'];

  /** Publishes a forged event directly, or through a JetStream stream that republishes it. */
  async function forge(identity?: string): Promise<{ id: string; wallet: string }> {
    const wallet = randomWallet();
    const order = anOrderChanged({ merchant_address: wallet });
    const envelope = anEventEnvelope({ type: event.type, aggregateId: order.order_id, data: order });
    const { id } = envelope;
    const data = Buffer.from(JSON.stringify(envelope));
    const subject = subjectOf(event, order.order_id);
    const bus = await BusConnection.open({ app: 'thief', url: merchant.nats.url });
    const signing = { identity: developmentIdentity(identity ?? 'thief'), receivers: ['merchant'] };
    const headers = identity === undefined ? undefined : eventHeaders({ subject, data }, { signing });
    await bus.nats.jetstream().publish(subject, data, { msgID: id, ...(headers && { headers }) });
    await bus.close();
    return { id, wallet };
  }

  const rejectedLetters = async () =>
    merchant.database.query<{ event: string; reason: string }>(
      `SELECT event, reason FROM dead_letters WHERE reason LIKE 'Rejected event%'`,
    );

  it.each([
    ['unsigned', undefined],
    ['notOfPublisher', 'tx-engine'],
  ])('adds no money to the ledger, also after a retry: %s', async (reason, identity) => {
    const { id, wallet } = await forge(identity);
    const letterOf = async () => (await rejectedLetters()).find(({ event: text }) => text.includes(id));
    await eventually(async () =>
      expect((await letterOf())?.reason).toBe(`Rejected event: its signature is ${reason}`),
    );
    await merchant.database.query(`UPDATE dead_letters SET reason = 'Rejected event, at first'`);
    await retryDeadLetters(merchant.apps[0]!.context.get(Database).pool);
    await eventually(async () => expect((await letterOf())?.reason).toContain(`signature is ${reason}`));
    expect(await proofOf(wallet)).toMatchObject({ ok: true, transactions: 0 });
    expect(await exportOf(wallet)).toEqual([]);
    const counter = merchant.apps[0]!.metrics.registry.getSingleMetric('tollbridge_events_rejected_total');
    const { values } = await counter!.get();
    expect(values.find(({ labels }) => labels['reason'] === reason)!.value).toBeGreaterThan(0);
    await merchant.database.query(`DELETE FROM dead_letters WHERE reason LIKE 'Rejected event%'`);
  });
});

describe('an order event', () => {
  it('becomes a dead letter with every invalid field, while valid events of the same batch are handled', async () => {
    const wallet = randomWallet();
    const orderOf = (changes: Changes) => ({ ...anOrderChanged({ merchant_address: wallet }), ...changes });
    const bad = hostile.map(([, changes]) => ({ id: uuid(), data: orderOf(changes) }));
    const good = hostile.map(() => ({ id: uuid(), data: orderOf({}) }));
    // Valid and invalid events alternate, so that each batch contains both.
    await publish(
      orderEvents['order-settled'],
      bad.flatMap((event, at) => [event, good[at]!]),
    );
    await eventually(async () => {
      expect((await deadLetters()).size).toBe(bad.length);
      expect((await exportOf(wallet)).map(({ id }) => id).sort()).toEqual(
        good.map(({ data }) => data.order_id).sort(),
      );
    });
    const letters = await deadLetters();
    for (const [at, [, , reasons]] of hostile.entries())
      for (const reason of reasons) expect(letters.get(bad[at]!.id)).toContain(reason);
    const proof = await proofOf(wallet);
    const received = String(1_000_000 * good.length);
    expect(proof).toMatchObject({ ok: true, transactions: good.length, assets: [{ received }] });
    const inbox = await merchant.database.query('SELECT FROM inbox WHERE event_id = ANY($1::uuid[])', [
      bad.map(({ id }) => id),
    ]);
    expect(inbox).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'order'],
    ['an empty object', {}],
  ])('becomes a dead letter with %s as data', async (_name, data) => {
    const id = uuid();
    await publish(orderEvents['order-created'], [{ id, data }]);
    await eventually(async () =>
      expect((await deadLetters()).get(id)).toMatch(/^Invalid order-created event: /),
    );
  });

  it.each<[string, Changes, string]>([
    [
      'the aggregate of another order',
      { aggregateId: 'another' },
      'order_id must equal the aggregate of the event',
    ],
    ['no time', { occurredAt: undefined }, 'occurredAt is missing'],
    ['a text as version', { aggregateVersion: '1' }, 'aggregateVersion must be an integer'],
  ])('becomes a dead letter with %s', async (_name, fields, reason) => {
    const id = uuid();
    await publish(orderEvents['order-settled'], [{ id, data: anOrderChanged(), ...fields }]);
    await eventually(async () => expect((await deadLetters()).get(id)).toContain(reason));
  });

  it('stays a dead letter after a retry, with the new reason', async () => {
    const id = uuid();
    await publish(orderEvents['order-settled'], [{ id, data: anOrderChanged({ settled_amount: '-5' }) }]);
    await eventually(async () => expect((await deadLetters()).has(id)).toBe(true));
    await merchant.database.query(`UPDATE dead_letters SET reason = 'at first'`);
    await retryDeadLetters(merchant.apps[0]!.context.get(Database).pool);
    await eventually(async () =>
      expect((await deadLetters()).get(id)).toContain('settled_amount must be a string of an integer'),
    );
  });

  it('leaves the dead letters after the start of a release that can read it', async () => {
    const id = uuid();
    const order = anOrderChanged({ merchant_address: randomWallet() });
    await publish(orderEvents['order-settled'], [{ id, data: { ...order, status: 'escalated' } }]);
    await eventually(async () => expect((await deadLetters()).get(id)).toContain('must be one of'));
    // Instead of a release that declares the status, the test changes the stored status to a declared one.
    await merchant.database.query(
      `UPDATE dead_letters SET event = replace(event, '"escalated"', '"settled"') WHERE event LIKE '%${id}%'`,
    );
    await merchant.startApp();
    await eventually(async () => expect((await deadLetters()).has(id)).toBe(false));
    expect(await exportOf(order.merchant_address)).toHaveLength(1);
  });

  it('loses the fields of a newer release when it is stored', async () => {
    const order = { ...anOrderChanged({ merchant_address: randomWallet() }), tip_amount: '-1' };
    await publish(orderEvents['order-settled'], [{ id: uuid(), data: order }]);
    await eventually(async () => expect(await exportOf(order.merchant_address)).toHaveLength(1));
    const [row] = await merchant.database.query<{ data: object }>('SELECT data FROM orders WHERE id = $1', [
      order.order_id,
    ]);
    expect(row!.data).not.toHaveProperty('tip_amount');
  });
});

describe('an event of another app', () => {
  const payout = {
    payout_id: uuid(),
    status: 'completed',
    wallet_address: randomWallet(),
    key_id: null,
    chain: 'eip155:8453',
    token: 'USDC',
    total_amount: '5000000',
    fee_amount: '25000',
    recipient_count: 5,
    paid_count: 5,
    paid_usd: '5.025',
    version: 3,
    updated_at: '2026-11-22T12:00:07.000Z',
  };
  const purchase = {
    purchase_id: uuid(),
    kind: 'gift-card',
    status: 'completed',
    wallet_address: randomWallet(),
    key_id: null,
    provider_id: '1024',
    value_usd: '25',
    version: 2,
    updated_at: '2026-11-22T12:00:07.000Z',
  };
  const transactionId = uuid();
  const update = {
    transactionId,
    status: 'completed',
    step: 'originSwap',
    txHash: `0x${'a1'.repeat(32)}`,
    confirmations: 3,
    requiredConfirmations: 3,
    timestamp: 1_795_176_000,
    version: 5,
  };
  const payoutEvent = payoutEvents['payout-updated'];
  const purchaseEvent = purchaseEvents['purchase-changed'];
  const updateEvent = transactionEvents['transaction-updated'];

  it.each<[string, EventDeclaration<any>, object, string]>([
    [
      'a payout of 60 digits',
      payoutEvent,
      { ...payout, total_amount: sixtyDigits },
      'total_amount must be at most',
    ],
    [
      'a payout on an unknown chain',
      payoutEvent,
      { ...payout, chain: 'eip155:424242' },
      'chain is not a supported',
    ],
    ['a payout worth -1', payoutEvent, { ...payout, paid_usd: '-1' }, 'paid_usd must be'],
    ['a purchase worth 60 digits', purchaseEvent, { ...purchase, value_usd: sixtyDigits }, 'value_usd must'],
    [
      'a purchase without a wallet',
      purchaseEvent,
      { ...purchase, wallet_address: '' },
      'wallet_address must',
    ],
    [
      'a transaction with an unknown status',
      updateEvent,
      { ...update, status: 'lost' },
      'status must be one of',
    ],
    ['a transaction without a version', updateEvent, { ...update, version: null }, 'version must be'],
  ])(
    'becomes a dead letter when it is %s, while a valid event is handled',
    async (_name, event, data, reason) => {
      const [bad, good] = [uuid(), uuid()];
      const valid = event === payoutEvent ? payout : event === purchaseEvent ? purchase : update;
      const aggregateId = event === updateEvent ? transactionId : 'any';
      await publish(event, [
        { id: bad, aggregateId, data },
        { id: good, aggregateId, data: valid },
      ]);
      await eventually(async () => {
        expect((await deadLetters()).get(bad)).toContain(reason);
        expect(await merchant.database.query('SELECT FROM inbox WHERE event_id = $1', [good])).toHaveLength(
          1,
        );
      });
    },
  );
});
