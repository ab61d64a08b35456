import { facilitatorApi, keylessCallPrefix, type FacilitatedSettleReply } from '@tollbridge/contracts';
import type { LocalChain } from '@tollbridge/local-chain';
import { eventually, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { HDNodeWallet, Wallet, type TransactionRequest } from 'ethers';
import { randomBytes } from 'node:crypto';
import { PayOrders } from '../testing/pay-orders';
import { X402Buyer, type PaymentMethod, type X402Payment } from '../testing/x402-buyer';
import { ChannelShop } from '../testing/x402-channel';
import type { Json } from './field-forms';

const { verifyFacilitated, settleFacilitated, facilitatedKinds } = facilitatorApi.operations;
const confirmations = 3;
const settings = {
  FACILITATOR: 'on',
  FACILITATOR_TOKENS: '*/USDC',
  FACILITATOR_RECEIVERS: '*',
  FACILITATOR_WAIT_MS: '300',
};
const methods: PaymentMethod[] = ['eip3009', 'permit2'];

let harness: PayOrders;
let node: HttpServer;
/** The number of requests that the node serves concurrently. It rejects more, like real providers. */
let mostAtOnce = Infinity;
let atOnce = 0;

async function startNode(chain: LocalChain): Promise<string[]> {
  node = await startHttpServer(async ({ body }) => {
    if (atOnce >= mostAtOnce) return { status: 503, body: {} };
    atOnce += 1;
    try {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(chain.anvil.url, { method: 'POST', headers, body });
      return { body: await reply.json() };
    } finally {
      atOnce -= 1;
    }
  });
  return [node.url];
}

beforeAll(async () => {
  harness = await PayOrders.start({ confirmations, instances: 2, settings, rpcUrls: startNode });
  await harness.chain.deployX402();
});
afterAll(async () => {
  await harness?.close();
  await node?.close();
});
afterEach(() => harness.chain.anvil.setAutomine(true));

const newKey = () => randomBytes(16).toString('hex');
/** The key of a call without an Idempotency-Key. */
const keyless = () => keylessCallPrefix + randomBytes(12).toString('hex');
const settleOnce = (payment: X402Payment, callKey = newKey()): Promise<FacilitatedSettleReply> =>
  harness.call(settleFacilitated, { ...payment, callKey });
/** Repeats the call while the outcome is unknown. The official seller repeats it once. */
const settle = (payment: X402Payment, callKey = newKey()): Promise<FacilitatedSettleReply> =>
  eventually(async () => {
    const reply = await settleOnce(payment, callKey);
    if (reply.errorReason === 'settlement_pending') throw new Error('the settlement is pending');
    return reply;
  });
const verify = (payment: X402Payment) => harness.call(verifyFacilitated, payment);
const earned = ({ paymentRequirements: { payTo } }: X402Payment) =>
  harness.chain.balanceOf(payTo as string, harness.chain.usdc.address);
const stateOf = async ({ paymentRequirements: { payTo } }: X402Payment) => {
  const rows = await harness.database.query<{ state: string }>(
    'SELECT state FROM x402_settlements WHERE pay_to = lower($1)',
    [payTo],
  );
  return rows.map(({ state }) => state);
};
const untilState = (payment: X402Payment, state: string) =>
  eventually(async () => expect(await stateOf(payment)).toEqual([state]));

const buyerFor = async (method: PaymentMethod, heldAtomic?: bigint): Promise<X402Buyer> => {
  const buyer = await X402Buyer.open(harness.chain, heldAtomic);
  return method === 'eip3009' ? buyer : buyer.approve();
};

/** A settlement that waits for a block, with its transaction in the pool. */
async function pending(method: PaymentMethod, buyer?: X402Buyer) {
  const from = buyer ?? (await buyerFor(method));
  const payment = await from.pay(method);
  await harness.chain.anvil.setAutomine(false);
  const reply = await settleOnce(payment);
  expect(reply).toMatchObject({ success: false, errorReason: 'settlement_pending' });
  return { payment, hash: reply.transaction, buyer: from };
}

const drop = (hash: string) => harness.chain.anvil.send('anvil_dropTransaction', [hash]);

async function restart(): Promise<void> {
  await harness.restartApp();
  await harness.startApp();
}

it('lists exact, upto and batch-settlement on each chain with a configured token', async () => {
  const { kinds, signers } = await harness.call(facilitatedKinds, {});
  expect(kinds.map(({ scheme, network }) => [scheme, network])).toEqual([
    ['exact', harness.chain.id],
    ['upto', harness.chain.id],
    ['batch-settlement', harness.chain.id],
  ]);
  expect(signers).toEqual([{ networks: 'eip155:*', address: kinds[1]!.extra['facilitatorAddress'] }]);
});

describe.each(methods)('exact by %s', (method) => {
  it('verifies and settles a payment of the official client once', async () => {
    const payment = await (await buyerFor(method)).pay(method);
    expect(await verify(payment)).toMatchObject({ isValid: true });
    const callKey = newKey();
    const reply = await settle(payment, callKey);
    expect(reply).toMatchObject({ success: true, network: harness.chain.id, amount: '1000' });
    expect(await earned(payment)).toBe(1_000n);
    const receipt = await harness.chain.anvil.provider.getTransactionReceipt(reply.transaction);
    expect(receipt?.status).toBe(1);

    expect(await settle(payment, callKey)).toEqual(reply);
    expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'duplicate_settlement' });
    expect(await verify(payment)).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' });
    expect(await earned(payment)).toBe(1_000n);
    await harness.chain.anvil.mine(confirmations);
    await untilState(payment, 'final');
  });

  it('returns success to an equal call with a key when only a call without a key got it before', async () => {
    const payment = await (await buyerFor(method)).pay(method);
    const reply = await settle(payment, keyless());
    expect(reply).toMatchObject({ success: true });
    const duplicate = { success: false, errorReason: 'duplicate_settlement' };
    expect(await settle(payment, keyless())).toMatchObject(duplicate);
    const other = {
      ...payment,
      paymentRequirements: { ...payment.paymentRequirements, maxTimeoutSeconds: 61 },
    };
    expect(await settle(other)).toMatchObject(duplicate);
    const keys = Array.from({ length: 8 }, newKey);
    const replies = await Promise.all(keys.map((key) => settle(payment, key)));
    const winner = keys[replies.findIndex(({ success }) => success)]!;
    expect(replies.filter(({ success }) => success)).toEqual([reply]);
    expect(await settle(payment, winner)).toEqual(reply);
    expect(await settle(payment, keyless())).toMatchObject(duplicate);
    expect(await earned(payment)).toBe(1_000n);
  });

  it('answers 25 equal concurrent calls although the node serves few concurrent requests', async () => {
    const payment = await (await buyerFor(method)).pay(method);
    mostAtOnce = 8;
    const replies = await Promise.allSettled(Array.from({ length: 25 }, () => settleOnce(payment)));
    mostAtOnce = Infinity;
    expect(replies.filter(({ status }) => status === 'rejected')).toEqual([]);
    const reasons = replies.map((reply) => reply.status === 'fulfilled' && reply.value.errorReason);
    expect(['duplicate_settlement', 'settlement_pending', undefined]).toEqual(
      expect.arrayContaining(reasons),
    );
    await untilState(payment, 'settled');
    expect(await earned(payment)).toBe(1_000n);
  });

  it('finds a settlement that any call requested, and lists it for its receiver when it is final', async () => {
    const payment = await (await buyerFor(method)).pay(method);
    const { settlementOf, receivedSettlements } = facilitatorApi.operations;
    const { network, payTo } = payment.paymentRequirements as Json as Record<'network' | 'payTo', string>;
    expect(await harness.call(settlementOf, payment)).toEqual({ state: 'none' });
    const { transaction } = await settle(payment);
    expect(await harness.call(settlementOf, payment)).toMatchObject({ transaction, amount: '1000' });
    await harness.chain.anvil.mine(confirmations);
    await untilState(payment, 'final');
    const { settlements } = await harness.call(receivedSettlements, { network, payTo, sinceMs: 0 });
    expect(settlements).toEqual([expect.objectContaining({ transaction, amount: '1000' })]);
  });

  it('settles once when 50 equal calls reach two replicas', async () => {
    const payment = await (await buyerFor(method)).pay(method);
    const replies = await Promise.all(Array.from({ length: 50 }, () => settle(payment)));
    expect(replies.filter(({ success }) => success)).toHaveLength(1);
    const failures = replies.filter(({ success }) => !success).map(({ errorReason }) => errorReason);
    expect(new Set(failures)).toEqual(new Set(['duplicate_settlement']));
    expect(await earned(payment)).toBe(1_000n);
    expect(await stateOf(payment)).toHaveLength(1);
  });

  it.each<[string, (payment: X402Payment) => void]>([
    ['a higher amount', (it) => void (it.paymentRequirements.amount = '2000')],
    [
      'a higher amount, also as the accepted one',
      (it) => void (it.paymentRequirements.amount = it.paymentPayload.accepted['amount'] = '2000'),
    ],
    [
      'another receiver, also as the accepted one',
      (it) => {
        const payTo = Wallet.createRandom().address;
        Object.assign(it.paymentRequirements, { payTo });
        Object.assign(it.paymentPayload.accepted, { payTo });
      },
    ],
    [
      'another token',
      (it) => {
        const asset = harness.chain.fakeUsdc.address;
        Object.assign(it.paymentRequirements, { asset });
        Object.assign(it.paymentPayload.accepted, { asset });
      },
    ],
    ['another network', (it) => void Object.assign(it.paymentRequirements, { network: 'eip155:1' })],
    [
      'the signature of another payment',
      (it) => void (it.paymentPayload.payload['signature'] = `0x${'11'.repeat(65)}`),
    ],
    ['a signature that is not hexadecimal', (it) => void (it.paymentPayload.payload['signature'] = 'junk')],
    ['no authorization', (it) => void (it.paymentPayload.payload = {})],
  ])('rejects %s, and sends nothing', async (_name, change) => {
    const payment = await (await buyerFor(method)).pay(method);
    change(payment);
    expect(await verify(payment)).toMatchObject({ isValid: false, invalidReason: expect.any(String) });
    expect(await settle(payment)).toMatchObject({ success: false, transaction: '' });
    expect(await stateOf(payment)).toEqual([]);
  });

  it('rejects an amount of 0 in verify and settle', async () => {
    const payment = await (await buyerFor(method)).pay(method, { amount: '0' });
    const { invalidReason, invalidMessage } = await verify(payment);
    const { errorReason, errorMessage } = await settle(payment);
    expect([invalidReason, errorReason]).toEqual(['invalid_amount', 'invalid_amount']);
    expect(invalidMessage).toBe(errorMessage);
    expect(await stateOf(payment)).toEqual([]);
  });

  it('returns settlement_pending while the outcome is unknown, and the outcome to a repeated call', async () => {
    const { payment, hash } = await pending(method);
    expect(await verify(payment)).toMatchObject({ isValid: true });
    await harness.chain.anvil.mine();
    expect(await settle(payment)).toMatchObject({ success: true, transaction: hash });
    expect(await settle(payment)).toMatchObject({ errorReason: 'duplicate_settlement' });
    expect(await earned(payment)).toBe(1_000n);
  });

  it('sends a claimed settlement after a restart when no node has it', async () => {
    const { payment, hash } = await pending(method);
    await harness.stopApps();
    // The state after the process is killed between the claim and the broadcast.
    await drop(hash);
    await harness.chain.anvil.setAutomine(true);
    await restart();
    await untilState(payment, 'settled');
    expect(await settle(payment)).toMatchObject({ success: true, transaction: hash });
    expect(await earned(payment)).toBe(1_000n);
  });

  it('finds the outcome of a settlement that was mined while no process ran', async () => {
    const { payment, hash } = await pending(method);
    await harness.stopApps();
    await harness.chain.anvil.mine();
    await restart();
    await untilState(payment, 'settled');
    expect(await settle(payment)).toMatchObject({ success: true, transaction: hash });
    expect(await earned(payment)).toBe(1_000n);
  });

  it('settles again after the chain dropped the block of a settlement', async () => {
    const payment = await (await buyerFor(method)).pay(method);
    expect(await settle(payment)).toMatchObject({ success: true });
    await harness.chain.anvil.setAutomine(false);
    await harness.chain.anvil.reorg(1);
    expect(await earned(payment)).toBe(0n);
    await untilState(payment, 'sent');
    await harness.chain.anvil.setAutomine(true);
    await eventually(async () => expect(await earned(payment)).toBe(1_000n));
    await harness.chain.anvil.mine(confirmations);
    await untilState(payment, 'final');
  });

  it('finds the payment when another account sends the same authorization first', async () => {
    const { payment, hash } = await pending(method);
    const [{ call_to: to, call_data: data }] = (await harness.database.query(
      'SELECT call_to, call_data FROM x402_settlements WHERE tx_hash = $1',
      [hash],
    )) as [{ call_to: string; call_data: string }];
    const raced: TransactionRequest = { to, data, gasLimit: 300_000, gasPrice: 10n ** 12n, type: 0 };
    const { hash: theirs } = await harness.chain.stranger.sendTransaction(raced);
    await harness.chain.anvil.mine(confirmations + 1);
    await untilState(payment, 'final');
    expect(await settle(payment)).toMatchObject({ success: true, transaction: theirs });
    expect(await earned(payment)).toBe(1_000n);
  });
});

const malformedAmount = /^The payment is malformed: paymentRequirements\.amount must be a whole number/;
it.each<[string, (it: X402Payment) => void, RegExp]>([
  [
    'a negative amount',
    (it) => void (it.paymentRequirements.amount = it.paymentPayload.accepted['amount'] = '-1'),
    malformedAmount,
  ],
  [
    'no payload',
    (it) => void Object.assign(it.paymentPayload, { payload: undefined }),
    /payload must be an object/,
  ],
  [
    'a signature that is not hexadecimal',
    (it) => void (it.paymentPayload.payload['signature'] = 'junk'),
    /paymentPayload\.payload\.signature must be 0x/,
  ],
  [
    'a receiver that is not an address',
    (it) => {
      it.paymentRequirements['payTo'] = 'bob';
      it.paymentPayload.accepted['payTo'] = 'bob';
    },
    /^paymentRequirements\.payTo is not valid: /,
  ],
  [
    'other accepted requirements',
    (it) => void (it.paymentPayload.accepted['amount'] = '1'),
    /^paymentPayload\.accepted differs from paymentRequirements in amount\.$/,
  ],
  [
    'another signed amount',
    (it) => void (it.paymentRequirements.amount = it.paymentPayload.accepted['amount'] = '2000'),
    /^The amount in the authorization differs/,
  ],
  [
    'a scheme that is not settled',
    (it) => void (it.paymentRequirements['scheme'] = 'foo'),
    /GET \/supported lists/,
  ],
])('explains the rejection of %s equally in verify and settle', async (_name, change, message) => {
  const payment = await (await buyerFor('eip3009')).pay('eip3009');
  change(payment);
  const { invalidReason, invalidMessage } = await verify(payment);
  const { errorReason, errorMessage } = await settle(payment);
  expect(invalidMessage).toMatch(message);
  expect([errorReason, errorMessage]).toEqual([invalidReason, invalidMessage]);
});

it.each<[string, bigint, object, RegExp]>([
  ['a balance below the amount', 500n, {}, /^The balance of the payer/],
  ['an authorization that expires', 1_000n, { maxTimeoutSeconds: 1 }, /^The authorization has expired/],
])('explains the rejection of %s equally in verify and settle', async (_name, held, changes, message) => {
  const payment = await (await buyerFor('eip3009', held)).pay('eip3009', changes);
  const { invalidReason, invalidMessage } = await verify(payment);
  const { errorReason, errorMessage } = await settle(payment);
  expect(invalidMessage).toMatch(message);
  expect([errorReason, errorMessage]).toEqual([invalidReason, invalidMessage]);
});

it('replaces a stuck transaction by one with higher fees, and settles once', async () => {
  const { payment, hash } = await pending('eip3009');
  const transactions = () =>
    harness.database.query<{ hash: string; max_fee: string }>(
      `SELECT t.hash, t.max_fee FROM x402_transactions t JOIN x402_settlements s ON s.id = t.settlement_id
       WHERE s.pay_to = lower($1) ORDER BY t.max_fee`,
      [payment.paymentRequirements['payTo']],
    );
  await harness.database.query(
    `UPDATE x402_transactions SET created_at = created_at - interval '1 minute' WHERE hash = $1`,
    [hash],
  );
  const [first, second] = await eventually(async () => {
    const found = await transactions();
    expect(found).toHaveLength(2);
    return found as [{ hash: string; max_fee: string }, { hash: string; max_fee: string }];
  });
  expect(first.hash).toBe(hash);
  expect(BigInt(second.max_fee)).toBeGreaterThan(BigInt(first.max_fee));
  await eventually(async () => {
    expect(await harness.chain.anvil.provider.getTransaction(second.hash)).not.toBeNull();
  });
  await harness.chain.anvil.mine();
  expect(await settle(payment)).toMatchObject({ success: true, transaction: second.hash });
  expect(await earned(payment)).toBe(1_000n);
});

it('rejects another encoding of a settled signature as another payment', async () => {
  const payment = await (await buyerFor('eip3009')).pay('eip3009');
  expect(await settle(payment)).toMatchObject({ success: true });
  const { signature } = payment.paymentPayload.payload as { signature: string };
  const last = signature.endsWith('1b') ? '00' : '01';
  const payload = { ...payment.paymentPayload.payload, signature: signature.slice(0, -2) + last };
  const respelt = { ...payment, paymentPayload: { ...payment.paymentPayload, payload } };
  expect(await verify(respelt)).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' });
  expect(await settle(respelt)).toMatchObject({ success: false, errorReason: 'duplicate_settlement' });
});

it('sends nothing while gas is more expensive than the maximum', async () => {
  const { anvil } = harness.chain;
  const baseFee = async (gwei: number) => {
    await anvil.send('anvil_setNextBlockBaseFeePerGas', [`0x${(BigInt(gwei) * 10n ** 9n).toString(16)}`]);
    await anvil.mine();
  };
  const payment = await (await buyerFor('eip3009')).pay('eip3009');
  await baseFee(100);
  try {
    await expect(settleOnce(payment)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await stateOf(payment)).toEqual([]);
  } finally {
    await baseFee(1);
  }
  expect(await settle(payment)).toMatchObject({ success: true });
});

it('rejects an authorization for a balance that another settlement uses', async () => {
  const buyer = await buyerFor('eip3009', 1_500n);
  const { payment, hash } = await pending('eip3009', buyer);
  const check = (at: string) =>
    harness.database.query(`UPDATE x402_settlements SET check_at = ${at} WHERE tx_hash = $1`, [hash]);
  // Without its transaction, only the table has the first settlement, not the nodes.
  await harness.stopApps();
  await check("now() + interval '1 hour'");
  await drop(hash);
  await restart();
  const second = await buyer.pay('eip3009');
  expect(await settle(second)).toMatchObject({ success: false, errorReason: 'insufficient_funds' });
  expect(await stateOf(second)).toEqual([]);
  await harness.chain.anvil.setAutomine(true);
  await check('now()');
  await untilState(payment, 'settled');
});

it('rejects a second payment with the payment identifier of another one', async () => {
  const buyer = await buyerFor('eip3009');
  const identified = { 'payment-identifier': { info: { required: false, id: `pay_${newKey()}` } } };
  const first = await buyer.pay('eip3009', {}, identified);
  expect(await settle(first)).toMatchObject({ success: true });
  const second = await buyer.pay('eip3009', {}, identified);
  const reason = 'payment_identifier_conflict';
  expect(await verify(second)).toMatchObject({ isValid: false, invalidReason: reason });
  expect(await settle(second)).toMatchObject({ success: false, errorReason: reason });
  expect(await earned(second)).toBe(0n);
});

it('cancels a settlement if the authorization expired before it was mined, and uses no nonce twice', async () => {
  const buyer = await buyerFor('eip3009');
  const { payment, hash } = await pending('eip3009', buyer);
  const { anvil } = harness.chain;
  await harness.stopApps();
  await drop(hash);
  const until = Number(
    (payment.paymentPayload.payload['authorization'] as { validBefore: string }).validBefore,
  );
  await anvil.mineAt(until + 1);
  await anvil.setAutomine(true);
  await restart();
  await eventually(async () => {
    await anvil.mine();
    expect(await stateOf(payment)).toEqual(['failed']);
  });
  expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'authorization_expired' });
  expect(await earned(payment)).toBe(0n);
  const next = await buyer.pay('eip3009', { maxTimeoutSeconds: 86_400 });
  expect(await settle(next)).toMatchObject({ success: true });
});

describe('upto', () => {
  const lifetime = { maxTimeoutSeconds: 86_400 };

  it('settles less than the signed maximum once, and never more', async () => {
    const buyer = await buyerFor('upto');
    const payment = await buyer.pay('upto', lifetime);
    expect(await verify(payment)).toMatchObject({ isValid: true });
    const over = { ...payment, paymentRequirements: { ...payment.paymentRequirements, amount: '1001' } };
    expect(await settle(over)).toMatchObject({ success: false, transaction: '' });
    const used = { ...payment, paymentRequirements: { ...payment.paymentRequirements, amount: '400' } };
    expect(await settle(used)).toMatchObject({ success: true, amount: '400' });
    expect(await settle(payment)).toMatchObject({ success: false, errorReason: 'duplicate_settlement' });
    expect(await earned(payment)).toBe(400n);
  });

  it('sends nothing for an amount of 0', async () => {
    const payment = await (await buyerFor('upto')).pay('upto', lifetime);
    const unused = { ...payment, paymentRequirements: { ...payment.paymentRequirements, amount: '0' } };
    expect(await settle(unused)).toMatchObject({ success: true, transaction: '', amount: '0' });
    expect(await stateOf(payment)).toEqual([]);
  });

  it('rejects a payment that another facilitator may settle', async () => {
    const extra = { facilitatorAddress: Wallet.createRandom().address };
    const payment = await (await buyerFor('upto')).pay('upto', { ...lifetime, extra });
    expect(await verify(payment)).toMatchObject({ isValid: false });
    expect(await settle(payment)).toMatchObject({ success: false, transaction: '' });
  });
});

describe('batch-settlement', () => {
  const open = (options?: Parameters<typeof ChannelShop.open>[1]) => ChannelShop.open(harness, options);
  const stateOf = async ({ payTo }: ChannelShop, kind: string) => {
    const rows = await harness.database.query<{ state: string }>(
      `SELECT state FROM x402_settlements WHERE pay_to = lower($1) AND authorization_nonce LIKE $2`,
      [payTo, `${kind}%`],
    );
    return rows.map(({ state }) => state);
  };
  const untilStateOf = (shop: ChannelShop, kind: string, state: string) =>
    eventually(async () => expect(await stateOf(shop, kind)).toEqual([state]));
  const inner = (payment: X402Payment, path: string) =>
    path.split('.').reduce<Json>((value, name) => value[name] as Json, payment.paymentPayload.payload);
  /** The seller's request of this kind, as its channel manager has sent it. */
  const sentOf = (shop: ChannelShop, kind: string): X402Payment =>
    shop.sent.find(({ paymentPayload }) => paymentPayload.payload['type'] === kind)!;
  /** A settlement of this payment that waits for a block. */
  const unmined = async (shop: ChannelShop, payment: X402Payment): Promise<string> => {
    await harness.chain.anvil.setAutomine(false);
    const reply = await shop.settleOnce(payment);
    expect(reply).toMatchObject({ success: false, errorReason: 'settlement_pending' });
    return reply.transaction;
  };

  it.each(['eip3009', 'permit2'] as const)(
    'opens a channel by %s, accepts vouchers, claims, settles and refunds the rest',
    async (method) => {
      const shop = await open({ method });
      const opened = await shop.buy();
      expect(opened).toMatchObject({
        success: true,
        amount: '10000',
        payer: shop.buyer.account.address.toLowerCase(),
      });
      for (let at = 0; at < 3; at++)
        expect(await shop.buy()).toMatchObject({ success: true, transaction: '' });
      expect([await shop.held(), await shop.earned()]).toEqual([990_000n, 0n]);

      const { claims, settle } = await shop.manager.claimAndSettle();
      expect(claims).toMatchObject([{ vouchers: 1, transaction: expect.stringMatching(/^0x/) }]);
      expect(settle!.transaction).toMatch(/^0x/);
      expect(await shop.earned()).toBe(4_000n);
      // The last voucher is claimed with the refund, and settled afterwards.
      await shop.buy();
      expect(await shop.manager.refund()).toHaveLength(1);
      await shop.manager.settle();
      expect([await shop.held(), await shop.earned()]).toEqual([995_000n, 5_000n]);
      expect(await stateOf(shop, '')).toHaveLength(5);
    },
  );

  it('settles a deposit once when 20 equal calls reach two replicas', async () => {
    const shop = await open();
    const payment = await shop.pay();
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop.settleUntilKnown(payment)));
    expect(replies.filter(({ success }) => success)).toHaveLength(1);
    const failures = replies.filter(({ success }) => !success).map(({ errorReason }) => errorReason);
    expect(new Set(failures)).toEqual(new Set(['duplicate_settlement']));
    expect(await shop.held()).toBe(990_000n);
  });

  it.each<[string, (payment: X402Payment) => void]>([
    ['a higher deposit', (it) => void (inner(it, 'deposit')['amount'] = '20000')],
    ['a higher voucher', (it) => void (inner(it, 'voucher')['maxClaimableAmount'] = '2000')],
    [
      'another receiver, also as the accepted one',
      (it) => {
        const payTo = HDNodeWallet.createRandom().address;
        Object.assign(it.paymentRequirements, { payTo });
        Object.assign(it.paymentPayload.accepted, { payTo });
        inner(it, 'channelConfig')['receiver'] = payTo;
      },
    ],
    [
      'another authorizer, also as the accepted one',
      (it) => {
        const receiverAuthorizer = HDNodeWallet.createRandom().address;
        for (const terms of [it.paymentRequirements, it.paymentPayload.accepted])
          terms['extra'] = { ...(terms['extra'] as Json), receiverAuthorizer };
        inner(it, 'channelConfig')['receiverAuthorizer'] = receiverAuthorizer;
      },
    ],
    [
      'the voucher of another channel',
      (it) => void (inner(it, 'voucher')['channelId'] = `0x${'12'.repeat(32)}`),
    ],
    [
      'another authorization',
      (it) => void (inner(it, 'deposit.authorization.erc3009Authorization')['salt'] = `0x${'34'.repeat(32)}`),
    ],
    ['no deposit', (it) => void delete it.paymentPayload.payload['deposit']],
  ])('rejects %s, and sends nothing', async (_name, change) => {
    const shop = await open();
    const payment = await shop.pay();
    change(payment);
    const { paymentPayload, paymentRequirements } = payment as unknown as Record<string, never>;
    expect(await shop.verify(paymentPayload!, paymentRequirements!)).toMatchObject({ isValid: false });
    expect(await shop.settleUntilKnown(payment)).toMatchObject({ success: false, transaction: '' });
    expect(await stateOf(shop, '')).toEqual([]);
  });

  it('verifies a voucher only within the balance, and settles none', async () => {
    const shop = await open();
    await shop.buy();
    const voucher = await shop.pay();
    const { paymentPayload, paymentRequirements } = voucher as unknown as Record<string, never>;
    expect(await shop.verify(paymentPayload!, paymentRequirements!)).toMatchObject({
      isValid: true,
      extra: { balance: '10000', totalClaimed: '0' },
    });
    expect(await shop.settleOnce(voucher)).toMatchObject({
      errorReason: 'invalid_batch_settlement_evm_payload_type',
    });
  });

  it('finds the outcome of a deposit after a restart when no node has it', async () => {
    const shop = await open();
    const payment = await shop.pay();
    const hash = await unmined(shop, payment);
    await harness.stopApps();
    await drop(hash);
    await harness.chain.anvil.setAutomine(true);
    await restart();
    expect(await shop.settleUntilKnown(payment)).toMatchObject({
      success: true,
      transaction: hash,
      extra: { channelState: { balance: '10000' } },
    });
    expect(await shop.held()).toBe(990_000n);
  });

  it('sends deposit and claim again after the chain dropped their blocks', async () => {
    const shop = await open();
    await shop.buy();
    await shop.manager.claim();
    const { anvil } = harness.chain;
    await anvil.setAutomine(false);
    await anvil.reorg(2);
    expect(await shop.held()).toBe(1_000_000n);
    await untilStateOf(shop, 'claim', 'sent');
    await anvil.setAutomine(true);
    await eventually(async () => expect(await shop.held()).toBe(990_000n));
    await anvil.mine(3);
    await untilStateOf(shop, 'claim', 'final');
    await shop.manager.settle();
    expect(await shop.earned()).toBe(1_000n);
  });

  it('finds the deposit when another account sends the same authorization first', async () => {
    const shop = await open();
    const payment = await shop.pay();
    const hash = await unmined(shop, payment);
    const [{ call_to: to, call_data: data }] = (await harness.database.query(
      'SELECT call_to, call_data FROM x402_settlements WHERE tx_hash = $1',
      [hash],
    )) as [{ call_to: string; call_data: string }];
    const raced = { to, data, gasLimit: 400_000, gasPrice: 10n ** 12n, type: 0 };
    const { hash: theirs } = await harness.chain.stranger.sendTransaction(raced);
    await harness.chain.anvil.mine(4);
    expect(await shop.settleUntilKnown(payment)).toMatchObject({ success: true, transaction: theirs });
    expect(await shop.held()).toBe(990_000n);
  });

  it('returns the first claim for an equal claim, and spends no gas on a claim that changes nothing', async () => {
    const shop = await open();
    await shop.buy();
    const [first] = await shop.manager.claim();
    const { transaction } = first!;
    const claim = sentOf(shop, 'claim');
    expect(await shop.settleUntilKnown(claim)).toMatchObject({ success: true, transaction });
    const less = structuredClone(claim);
    (less.paymentPayload.payload['claims'] as Json[])[0]!['totalClaimed'] = '999';
    expect(await shop.settleUntilKnown(less)).toMatchObject({ success: false, transaction: '' });
    expect(await stateOf(shop, 'claim')).toHaveLength(1);
  });

  it('claims the vouchers of six buyers in one transaction, within the usual limit of gas', async () => {
    const shop = await open();
    for (let at = 0; at < 6; at++) await shop.buy(await shop.newClient());
    const claims = await shop.manager.claim();
    expect(claims).toMatchObject([{ vouchers: 6 }]);
    await shop.manager.settle();
    expect(await shop.earned()).toBe(6_000n);
  });

  it('rejects a claim above its voucher, of another seller, or without the signature of the seller', async () => {
    const shop = await open();
    await shop.buy();
    await shop.manager.claim();
    const claim = sentOf(shop, 'claim');
    const above = structuredClone(claim);
    (above.paymentPayload.payload['claims'] as Json[])[0]!['totalClaimed'] = '5000';
    const unsigned = structuredClone(claim);
    (unsigned.paymentPayload.payload['claims'] as Json[])[0]!['totalClaimed'] = '900';
    delete unsigned.paymentPayload.payload['claimAuthorizerSignature'];
    const foreign = structuredClone(claim);
    const payTo = HDNodeWallet.createRandom().address;
    Object.assign(foreign.paymentRequirements, { payTo });
    Object.assign(foreign.paymentPayload.accepted, { payTo });
    const reasons = [];
    for (const each of [above, unsigned, foreign]) reasons.push((await shop.settleOnce(each)).errorReason);
    expect(reasons).toEqual([
      'invalid_batch_settlement_evm_claim_simulation_failed',
      'invalid_batch_settlement_evm_authorizer_not_configured',
      'invalid_payload',
    ]);
  });

  it('pays out the owed amount once when a seller sends 10 concurrent settlements', async () => {
    const shop = await open();
    await shop.buy();
    await shop.manager.claim();
    const settle = { type: 'settle', receiver: shop.payTo, token: shop.requirements.asset };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => shop.settleUntilKnown(shop.paymentOf(settle))),
    );
    const paid = replies.filter(({ success }) => success);
    expect(paid.length).toBeGreaterThan(0);
    expect(new Set(paid.map(({ transaction, amount }) => `${transaction} ${amount}`)).size).toBe(1);
    expect(paid[0]).toMatchObject({ amount: '1000' });
    expect(await stateOf(shop, 'settle')).toHaveLength(1);
    expect(await shop.earned()).toBe(1_000n);
    expect(await shop.settleOnce(shop.paymentOf(settle))).toMatchObject({
      errorReason: 'invalid_batch_settlement_evm_nothing_to_settle',
    });
  });

  it('refunds only amounts that the seller has signed, and none of them twice', async () => {
    const shop = await open();
    await shop.buy();
    await shop.manager.refund();
    const refund = sentOf(shop, 'refund');
    expect(await shop.held()).toBe(999_000n);
    const { transaction } = await shop.settleUntilKnown(refund);
    expect(transaction).toMatch(/^0x/);
    const unsigned = structuredClone(refund);
    unsigned.paymentPayload.payload['refundNonce'] = '1';
    const repeated = structuredClone(unsigned);
    delete unsigned.paymentPayload.payload['refundAuthorizerSignature'];
    for (const each of [unsigned, repeated])
      expect(await shop.settleUntilKnown(each)).toMatchObject({ success: false, transaction: '' });
    const changed = structuredClone(refund);
    changed.paymentPayload.payload['amount'] = '1';
    expect(await shop.settleUntilKnown(changed)).toMatchObject({ errorReason: 'duplicate_settlement' });
    expect(await shop.held()).toBe(999_000n);
  });
});

it('limits the settlements of a payer, their gas, and the receivers', async () => {
  const { payTo: receiver } = (await X402Buyer.open(harness.chain)).requirements('eip3009');
  await harness.restartApp({ FACILITATOR_PER_MINUTE: '2', FACILITATOR_RECEIVERS: receiver });
  const buyer = await buyerFor('eip3009');
  const lifetime = { maxTimeoutSeconds: 86_400, payTo: receiver };
  for (let count = 0; count < 2; count++)
    expect(await settle(await buyer.pay('eip3009', lifetime))).toMatchObject({ success: true });
  await expect(buyer.pay('eip3009', lifetime).then((it) => settleOnce(it))).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
  });
  const other = await buyer.pay('eip3009', { maxTimeoutSeconds: 86_400 });
  expect(await settle(other)).toMatchObject({ errorReason: 'unsupported_receiver' });
  await harness.restartApp({ FACILITATOR_MAX_GAS: '60000' });
  expect(await settle(other)).toMatchObject({ errorReason: 'gas_limit_exceeded' });
});

it('settles a refund that a configured receiver pays', async () => {
  const buyer = await buyerFor('eip3009');
  await harness.restartApp({ FACILITATOR_RECEIVERS: buyer.account.address });
  const refund = await buyer.pay('eip3009', { maxTimeoutSeconds: 86_400 });
  expect(await settle(refund)).toMatchObject({ success: true });
});
