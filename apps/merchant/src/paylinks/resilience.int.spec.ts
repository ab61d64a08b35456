import { paylinkPaymentsApi, type RecordPaymentReply } from '@tollbridge/contracts';
import { reorgWindow } from '@tollbridge/chains';
import { callContext } from '@tollbridge/rpc';
import { eventually, openTcpLink, type TcpLink } from '@tollbridge/testing';
import { confirmations, PayLinkHarness, receiver, someWallet } from '../testing/paylink-harness';

const { recordPayLinkPayment } = paylinkPaymentsApi.operations;
const counted = { success: true, verified: true };
const pending = { success: false, verified: false, status: 'pending' };
let harness: PayLinkHarness;
let link: TcpLink;
beforeEach(async () => {
  harness = await PayLinkHarness.start({
    rpcUrl: async (anvil) => {
      link = await openTcpLink(anvil.url);
      return link.url;
    },
  });
  // Two replicas check the same payments.
  await harness.startApp();
});
afterEach(async () => {
  await harness?.close();
  await link?.close();
});

/** Resolves after several further checks of the payment. */
async function checkedAgain(id: string, pauseMs = 0): Promise<void> {
  const at = async () => {
    const [row] = await harness.merchant.database.query<{ next_look_at: Date | null }>(
      'SELECT next_look_at FROM paylink_payments WHERE paylink_id = $1',
      [id],
    );
    return row!.next_look_at?.getTime();
  };
  for (let looks = 0; looks < 3; looks++) {
    const before = await at();
    harness.clock.move(pauseMs);
    await eventually(async () => expect(await at()).not.toBe(before));
  }
}

const paymentId = async (id: string): Promise<string> => (await harness.payments(id))[0]!.id;

describe('a reorganisation', () => {
  it('reverts a counted payment, counts it when it is mined again, and notifies the merchant of both', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const { id } = await harness.create({ maxPayments: 1 }, wallet);
    await harness.foundation();
    const hash = await harness.paid();
    const raw = await harness.anvil.rawTransaction(hash);
    expect(await harness.pay(id, hash)).toEqual(counted);

    await harness.anvil.reorg(confirmations + 1);
    await eventually(async () => expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0 }));
    expect(await harness.payments(id, wallet)).toMatchObject([
      { status: 'pending', verified: false, amount: null },
    ]);
    expect(await harness.pay(id, hash)).toEqual(pending);

    await harness.anvil.send('eth_sendRawTransaction', [raw]);
    await harness.anvil.mine(confirmations);
    await eventually(async () => expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1 }));
    const [payment] = await harness.payments(id, wallet);
    expect(payment).toMatchObject({ status: 'counted', verified: true, amount: '3500000' });
    expect(await harness.eventsOf(payment!.id)).toEqual([
      'paylink-paid',
      'paylink-payment-reorged',
      'paylink-paid',
    ]);
    expect(harness.callsFor(id)).toEqual(['paid', 'reverted', 'paid']);
    expect(new Set(harness.calls.map(([, { id: it, amount }]) => `${it} ${amount}`)).size).toBe(1);
    expect(await harness.messagesTo(wallet)).toMatchObject([
      { type: 'paylink.paid', data: { payment_count: 1 } },
      { type: 'paylink.payment_reverted', data: { payment_count: 0, tx_hash: hash, amount: '3500000' } },
      { type: 'paylink.paid', data: { payment_count: 1, payment_id: payment!.id } },
    ]);
  });

  it('restarts the confirmations of a payment that moves to another block', async () => {
    const { id } = await harness.create();
    await harness.foundation();
    const hash = await harness.paid();
    expect(await harness.pay(id, hash)).toEqual(counted);
    await harness.anvil.reorg(confirmations, [hash]);
    const depth = (await harness.anvil.height()) - (await harness.chain.mined(hash)) + 1;
    expect(depth).toBeGreaterThanOrEqual(confirmations);
    await checkedAgain(id);
    expect(await harness.link(id)).toMatchObject({ payment_count: 1 });
    const events = await harness.eventsOf(await paymentId(id));
    expect(events.filter((type) => type === 'paylink-payment-reorged').length).toBeLessThanOrEqual(1);
    const calls = harness.callsFor(id);
    const sum =
      calls.filter((what) => what === 'paid').length - calls.filter((what) => what === 'reverted').length;
    expect(sum).toBe(1);
  });

  it('leaves the transfer with the link that reported it first', async () => {
    const [first, second] = [await harness.create(), await harness.create()];
    await harness.foundation();
    const hash = await harness.paid();
    const raw = await harness.anvil.rawTransaction(hash);
    expect(await harness.pay(first.id, hash)).toEqual(counted);
    await harness.anvil.reorg(confirmations + 1);
    await harness.paymentWith(first.id, hash, { status: 'pending' });
    expect(await harness.pay(second.id, hash)).toEqual(pending);
    await harness.anvil.send('eth_sendRawTransaction', [raw]);
    await harness.anvil.mine(confirmations);
    await harness.paymentWith(first.id, hash, { status: 'counted' });
    await harness.paymentWith(second.id, hash, {
      status: 'rejected',
      reason: 'The transaction already counts as the payment of another PayLink.',
    });
  });

  it('reverts a payment with more than twice the required confirmations, like an order', async () => {
    const { id } = await harness.create();
    await harness.foundation();
    const hash = await harness.paid();
    expect(await harness.pay(id, hash)).toEqual(counted);
    await harness.anvil.mine(confirmations * 3);
    await checkedAgain(id);
    await harness.anvil.reorg(confirmations * 4 + 1);
    await harness.paymentWith(id, hash, { status: 'pending' });
    expect(await harness.link(id)).toMatchObject({ payment_count: 0 });
  });

  it('reverts a payment when one of its parts leaves the chain, and completes it when the part is mined again', async () => {
    const wallet = someWallet();
    const { id } = await harness.create({ amount: '10000000' }, wallet);
    const kept = await harness.paid(5_000_000n);
    await harness.foundation();
    const dropped = await harness.paid(5_000_000n);
    const raw = await harness.anvil.rawTransaction(dropped);
    expect(await harness.pay(id, dropped)).toMatchObject({ status: 'partial' });
    expect(await harness.pay(id, kept)).toEqual(counted);
    await harness.anvil.reorg(confirmations + 1);
    await eventually(async () => {
      expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0 });
      expect((await harness.payments(id, wallet)).map(({ status }) => status).sort()).toEqual([
        'partial',
        'pending',
      ]);
    });
    await harness.anvil.send('eth_sendRawTransaction', [raw]);
    await harness.anvil.mine(confirmations);
    await eventually(async () => expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1 }));
    expect((await harness.payments(id, wallet)).map(({ status }) => status).sort()).toEqual([
      'counted',
      'partial',
    ]);
    expect(harness.callsFor(id)).toEqual(['paid', 'reverted', 'paid']);
  });

  it('stops the checks of a payment at the end of the reorganisation window, as for an order', async () => {
    const { id } = await harness.create();
    const hash = await harness.paid();
    expect(await harness.pay(id, hash)).toEqual(counted);
    await harness.anvil.mine(reorgWindow({ confirmations }));
    await eventually(async () =>
      expect(
        await harness.merchant.database.query(
          'SELECT next_look_at FROM paylink_payments WHERE paylink_id = $1',
          [id],
        ),
      ).toEqual([{ next_look_at: null }]),
    );
  });
});

describe('a report before its transaction is mined', () => {
  it('counts once the transaction is confirmed, for the first link that reported it', async () => {
    const [first, second] = [await harness.create(), await harness.create()];
    await harness.anvil.setAutomine(false);
    const { payer, usdc } = harness.chain;
    const data = `0xa9059cbb${receiver.slice(2).padStart(64, '0')}${(3_500_000).toString(16).padStart(64, '0')}`;
    const { hash } = await payer.sendTransaction({ to: usdc.address, data });
    expect(await harness.pay(first.id, hash)).toEqual(pending);
    expect(await harness.pay(second.id, hash)).toEqual(pending);
    await harness.anvil.mine();
    await harness.paymentWith(first.id, hash, { status: 'pending', amount: '3500000' });
    await harness.anvil.mine(confirmations - 1);
    await harness.paymentWith(first.id, hash, { status: 'counted' });
    await harness.paymentWith(second.id, hash, { status: 'rejected' });
    expect(await harness.pay(second.id, hash)).toMatchObject({ success: false, verified: false });
  });

  it('leads to a rejection at the confirmed depth when the transaction pays something else, and notifies the merchant', async () => {
    const wallet = someWallet();
    await harness.merchant.addWebhookEndpoint(wallet);
    const { id } = await harness.create({}, wallet);
    await harness.anvil.setAutomine(false);
    const { hash } = await harness.chain.payer.sendTransaction({ to: receiver, value: 1n });
    expect(await harness.pay(id, hash)).toEqual(pending);
    await harness.anvil.mine();
    await checkedAgain(id);
    expect(await harness.payments(id, wallet)).toMatchObject([{ status: 'pending' }]);
    await harness.anvil.mine(confirmations);
    const stray = 'The transaction pays 0.000000000000000001 ETH on Base; the PayLink asks for USDC on Base.';
    const reason = `${stray} The merchant was notified.`;
    await eventually(async () =>
      expect(await harness.payments(id, wallet)).toMatchObject([{ status: 'rejected', reason }]),
    );
    expect(await harness.pay(id, hash)).toEqual({ success: false, verified: false, error: reason });
    expect(await harness.messagesTo(wallet)).toMatchObject([
      { type: 'paylink.payment_rejected', data: { paylink_id: id, tx_hash: hash, reason, payment_count: 0 } },
      { type: 'payment.exception', data: { kind: 'other_token', amount: '1', token: 'ETH', reason: stray } },
    ]);
    expect(await harness.eventsOf((await harness.payments(id, wallet))[0]!.id)).toEqual([]);
  });

  it('expires after 24 hours of chain time, and still counts when the transaction is mined later', async () => {
    const { id } = await harness.create();
    await harness.anvil.setAutomine(false);
    const { payer, usdc } = harness.chain;
    const data = `0xa9059cbb${receiver.slice(2).padStart(64, '0')}${(3_500_000).toString(16).padStart(64, '0')}`;
    const { hash } = await payer.sendTransaction({ to: usdc.address, data });
    const raw = await harness.anvil.rawTransaction(hash);
    expect(await harness.pay(id, hash)).toEqual(pending);
    await harness.anvil.send('anvil_dropTransaction', [hash]);
    harness.clock.move(25 * 60 * 60_000);
    await checkedAgain(id, 5 * 60_000);
    // The chain produces no blocks, so its time does not advance.
    expect(await harness.payments(id)).toMatchObject([{ status: 'pending' }]);
    await harness.anvil.mineAt(Math.floor(harness.clock.now() / 1_000));
    await eventually(
      async () => {
        // A check in progress may have read the chain before, so another one must become due.
        harness.clock.move(5 * 60_000);
        expect(await harness.payments(id)).toMatchObject([{ status: 'rejected' }]);
      },
      { everyMs: 500 },
    );
    await harness.paymentWith(id, hash, {
      status: 'rejected',
      reason: 'The transaction was not mined within 24 hours.',
    });
    expect(await harness.pay(id, hash)).toMatchObject({
      error: 'The transaction was not mined within 24 hours.',
    });
    await harness.anvil.setAutomine(true);
    await harness.anvil.send('eth_sendRawTransaction', [raw]);
    await harness.anvil.mine(confirmations);
    expect(await harness.pay(id, hash)).toEqual(counted);
    expect(await harness.link(id)).toMatchObject({ payment_count: 1 });
  });
});

describe('a node that does not answer', () => {
  it('makes a report pending, and the payment counts when a node answers again', async () => {
    const { id } = await harness.create();
    const good = await harness.paid();
    const short = await harness.paid(1n);
    await link.cut();
    // The call must return within the time-out of the operation.
    const pay = (txHash: string) =>
      harness.merchant.callWith(callContext(), recordPayLinkPayment, { id, txHash });
    expect(await Promise.all([good, short].map(pay))).toEqual([pending, pending]);
    harness.clock.move(48 * 60 * 60_000);
    expect(await harness.pay(id, good)).toEqual(pending);
    await link.mend();
    await eventually(async () => {
      // An unseen transaction is checked every five minutes.
      harness.clock.move(5 * 60_000);
      const statuses = (await harness.payments(id)).map(({ tx_hash, status }) => [tx_hash, status]);
      expect(new Map(statuses as [string, string][])).toEqual(
        new Map([
          [good, 'counted'],
          [short, 'partial'],
        ]),
      );
    });
    expect(await harness.link(id)).toMatchObject({ payment_count: 1 });
  });

  it('reverts no counted payment', async () => {
    const { id } = await harness.create();
    expect(await harness.pay(id, await harness.paid())).toEqual(counted);
    await link.cut();
    await checkedAgain(id);
    expect(await harness.link(id)).toMatchObject({ payment_count: 1 });
    expect(harness.callsFor(id)).toEqual(['paid']);
  });
});

describe('concurrent toggles, deletions and reports', () => {
  it('leave the count, the flag and the history of a link consistent', async () => {
    const links = await Promise.all(Array.from({ length: 4 }, () => harness.create({ maxPayments: 6 })));
    const hashes: string[] = [];
    for (let count = 0; count < 12; count++) hashes.push(await harness.paid(3_500_000n, { depth: 1 }));
    await harness.anvil.mine(confirmations);
    const answers: { payment: string; reply: RecordPaymentReply }[] = [];
    const pay = async (id: string, hash: string): Promise<unknown> => {
      const reply = await harness.pay(id, hash);
      return answers.push({ payment: `${id} ${hash}`, reply });
    };
    const work = links.flatMap(({ id }, at) => [
      ...hashes.map((hash) => () => pay(id, hash)),
      ...[false, true, false, true].map((active) => () => harness.toggle(id, active)),
      ...(at === 0 ? [() => harness.remove(id)] : []),
    ]);
    const order = work.map((job) => ({ job, at: Math.random() })).sort((a, b) => a.at - b.at);
    const outcomes = await Promise.allSettled(order.map(({ job }) => job()));
    const failures = outcomes.flatMap((it) =>
      it.status === 'rejected' ? [(it.reason as { code: string }).code] : [],
    );
    expect(new Set([...failures, 'NOT_FOUND'])).toEqual(new Set(['NOT_FOUND']));
    const query = <T>(sql: string) => harness.merchant.database.query<T & object>(sql);
    // A report is checked again when its read of the chain has timed out.
    await eventually(async () => {
      const undecided = await query(
        `SELECT p.id FROM paylink_payments p JOIN paylinks l ON l.id = p.paylink_id
         WHERE p.status = 'pending' AND l.deleted_at IS NULL`,
      );
      if (undecided.length > 0) harness.clock.move(5 * 60_000);
      expect(undecided).toEqual([]);
    });
    expect(
      await query(
        `SELECT l.id FROM paylinks l WHERE payment_count <>
           (SELECT count(*) FROM paylink_payments p WHERE p.paylink_id = l.id AND status = 'counted')
         OR payment_count > max_payments`,
      ),
    ).toEqual([]);
    // Each transfer counts for exactly one link.
    const claims = await query<{ tx_hash: string }>(
      'SELECT tx_hash FROM paylink_payments WHERE log_index IS NOT NULL',
    );
    expect(new Set(claims.map(({ tx_hash }) => tx_hash)).size).toBe(claims.length);
    const rows = await query<{ payment: string }>(
      `SELECT paylink_id || ' ' || tx_hash AS payment FROM paylink_payments WHERE status = 'counted'`,
    );
    const payments = new Set(rows.map(({ payment }) => payment));
    // Pending payments may have been counted since, and counted payments stay counted.
    const reported = answers.filter(
      ({ payment, reply: { success, status } }) => success || (status === 'pending' && payments.has(payment)),
    );
    expect(new Set(reported.map(({ payment }) => payment))).toEqual(payments);
    expect(harness.calls.filter(([what]) => what === 'paid')).toHaveLength(payments.size);
  });
});
