import { dashboardApi, ledgerApi, paylinkPaymentsApi } from '@tollbridge/contracts';
import { walletPrincipal, type BusOperation } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { confirmations, PayLinkHarness, someWallet } from '../testing/paylink-harness';

let harness: PayLinkHarness;
beforeAll(async () => {
  harness = await PayLinkHarness.start();
  await harness.startApp();
});
afterAll(() => harness?.close());

const prove = (wallet: string) =>
  harness.merchant.call(ledgerApi.operations.proveLedger, {}, walletPrincipal(wallet));

it('includes the PayLink and its metadata in the ledger, the transactions and the webhook of a payment', async () => {
  const wallet = someWallet();
  await harness.merchant.addWebhookEndpoint(wallet);
  const metadata = { table: 7 };
  const { id } = await harness.create({ metadata }, wallet);
  await harness.foundation();
  await harness.pay(id, await harness.paid());
  const read = <I, O>(operation: BusOperation<I, O>) =>
    harness.merchant.call(operation, {} as I, walletPrincipal(wallet));
  const expected = { paylink_id: id, payment_request_id: null, metadata };
  expect(await read(dashboardApi.operations.listTransactions)).toMatchObject([expected]);
  const { entries } = await read(ledgerApi.operations.listLedgerEntries);
  for (const entry of entries) expect(entry).toMatchObject(expected);
  expect(entries).not.toHaveLength(0);
  expect(await harness.messagesTo(wallet)).toMatchObject([{ data: { paylink_id: id, metadata } }]);
});

it('posts a PayLink payment, reverses it when the chain drops the transaction, and posts it again', async () => {
  const wallet = someWallet();
  const { id } = await harness.create({}, wallet);
  await harness.foundation();
  const hash = await harness.paid();
  const raw = await harness.anvil.rawTransaction(hash);
  await harness.pay(id, hash);
  expect(await prove(wallet)).toMatchObject({
    ok: true,
    transactions: 1,
    assets: [{ received: '3500000', sum: '0' }],
  });
  await harness.anvil.reorg(confirmations + 1);
  await eventually(async () =>
    expect(await prove(wallet)).toMatchObject({ ok: true, assets: [{ received: '0', sum: '0' }] }),
  );
  await harness.anvil.send('eth_sendRawTransaction', [raw]);
  await harness.anvil.mine(confirmations);
  await eventually(async () => {
    const proof = await prove(wallet);
    expect(proof).toMatchObject({ ok: true, assets: [{ received: '3500000', sum: '0' }] });
    // A transaction that is mined again in another block may cause one more reversal, so only the parity is fixed.
    expect(proof.transactions % 2).toBe(1);
  });
});

it('posts and marks a payment that the merchant confirmed, and reverses it when an order claims the transfer', async () => {
  const wallet = someWallet();
  const call = <I, O>(operation: BusOperation<I, O>) =>
    harness.merchant.call(operation, {} as I, walletPrincipal(wallet));
  const { id } = await harness.create({ network: 'eip155:1' }, wallet);
  expect(await harness.pay(id, `0x${'5'.repeat(64)}`)).toMatchObject({
    status: 'unverifiable',
  });
  const [payment] = await harness.payments(id, wallet);
  expect(await prove(wallet)).toMatchObject({ ok: true, transactions: 0 });
  expect(await call(dashboardApi.operations.listTransactions)).toEqual([]);
  const { confirmPayLinkPayment } = paylinkPaymentsApi.operations;
  const request = { id, paymentId: payment!.id };
  await harness.merchant.call(confirmPayLinkPayment, request, walletPrincipal(wallet));
  expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1 });
  await harness.merchant.call(confirmPayLinkPayment, request, walletPrincipal(wallet));
  expect(await prove(wallet)).toMatchObject({
    ok: true,
    transactions: 1,
    assets: [{ chain: 'eip155:1', received: '3500000', sum: '0' }],
  });
  expect(await call(dashboardApi.operations.listTransactions)).toMatchObject([
    { status: 'completed', amount: '3500000', confirmed_by: 'merchant' },
  ]);
  expect(await call(dashboardApi.operations.getOverview)).toMatchObject({
    totalPayments: 1,
    confirmedByMerchant: 1,
    successRate: 1,
    volumeByToken: [{ token: 'USDC', amount: '3.5', payments: 1 }],
    volumeByChain: [{ network: 'eip155:1', payments: 1 }],
  });

  const settled = {
    method: 'CrossChain',
    settle_chain: 'eip155:1',
    settle_tx: `0x${'5'.repeat(64)}`,
  } as const;
  await harness.merchant.publishOrder('order-settled', settled);
  await eventually(async () =>
    expect(await prove(wallet)).toMatchObject({ ok: true, assets: [{ received: '0', sum: '0' }] }),
  );
  expect(await call(dashboardApi.operations.listTransactions)).toMatchObject([
    { status: 'reversed', confirmed_by: null },
  ]);
  expect(await call(dashboardApi.operations.getOverview)).toMatchObject({
    totalPayments: 0,
    confirmedByMerchant: 0,
  });
});
