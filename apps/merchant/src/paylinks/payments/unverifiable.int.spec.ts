import { paylinkPaymentsApi } from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { eventually, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confirmations, PayLinkHarness, someWallet } from '../../testing/paylink-harness';

const folder = mkdtempSync(join(tmpdir(), 'tollbridge-balances-'));
const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const unverifiable = { success: false, verified: false, status: 'unverifiable' };
const hash = (digits: string) => digits.repeat(64 / digits.length);
let harness: PayLinkHarness;
let indexer: HttpServer;
beforeAll(async () => {
  indexer = await startHttpServer(() => ({}));
  const file = join(folder, 'balances.json');
  writeFileSync(file, JSON.stringify({ sources: [{ chain: 'btc', urls: [indexer.url] }] }));
  // This deployment has no node of any chain.
  const settings = {
    BALANCES_FILE: file,
    CHAINS_FILE: join(__dirname, '../..', 'testing', 'no-chains.json'),
  };
  harness = await PayLinkHarness.start({ settings });
});
afterAll(async () => {
  await harness?.close();
  await indexer?.close();
  rmSync(folder, { recursive: true });
});

/** Sets the balance that the fake indexer returns for the address. */
function hold(funded: number): void {
  const none = { funded_txo_count: 0, funded_txo_sum: 0, spent_txo_count: 0, spent_txo_sum: 0, tx_count: 0 };
  const chain_stats = { ...none, funded_txo_count: 1, funded_txo_sum: funded, tx_count: 1 };
  indexer.answer = () => ({ body: { address, chain_stats, mempool_stats: none } });
}

const bitcoin = { network: 'btc', token: 'BTC', amount: '1000', receiveAddress: address };

describe('the balance of the receiver of an unverifiable payment', () => {
  it('appears twice, from the time of the report and from now, and does not count the payment', async () => {
    const wallet = someWallet();
    const { id } = await harness.create({ ...bitcoin, maxPayments: 1 }, wallet);
    hold(5_000);
    expect(await harness.pay(id, hash('a1'))).toEqual(unverifiable);
    hold(6_000);
    expect(await harness.pay(id, hash('a1'))).toEqual(unverifiable);
    expect(await harness.payments(id, wallet)).toMatchObject([
      { status: 'unverifiable', amount: null, receiver_balance: { at_report: '5000', now: '6000' } },
    ]);
    expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 0 });
  });

  it('stays null when the indexer fails or is too slow, and the report is stored', async () => {
    const wallet = someWallet();
    const { id } = await harness.create(bitcoin, wallet);
    indexer.answer = () => ({ status: 500 });
    expect(await harness.pay(id, hash('b1'))).toEqual(unverifiable);
    indexer.answer = () => ({ silent: true });
    const startedAt = Date.now();
    expect(await harness.pay(id, hash('b2'))).toEqual(unverifiable);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    indexer.answer = () => ({ body: { chain_stats: 'a lie' } });
    expect((await harness.payments(id, wallet)).map((payment) => payment.receiver_balance)).toEqual([
      { at_report: null, now: null },
      { at_report: null, now: null },
    ]);
  });

  it('causes no request for decided payments or without an indexer', async () => {
    const wallet = someWallet();
    const { id } = await harness.create(bitcoin, wallet);
    hold(5_000);
    await harness.pay(id, hash('c1'));
    const [payment] = await harness.payments(id, wallet);
    const { rejectPayLinkPayment } = paylinkPaymentsApi.operations;
    await harness.merchant.call(
      rejectPayLinkPayment,
      { id, paymentId: payment!.id },
      walletPrincipal(wallet),
    );
    indexer.requests.length = 0;
    expect(await harness.payments(id, wallet)).toMatchObject([
      { status: 'rejected', receiver_balance: null },
    ]);
    const other = await harness.create(
      { network: 'doge', token: 'DOGE', receiveAddress: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L' },
      wallet,
    );
    await harness.pay(other.id, hash('c2'));
    expect(await harness.payments(other.id, wallet)).toMatchObject([
      { receiver_balance: { at_report: null, now: null } },
    ]);
    expect(indexer.requests).toEqual([]);
  });
});

it('verifies payments once a node of the network is configured, and counts a transfer for one link only', async () => {
  const wallet = someWallet();
  const { id } = await harness.create({ token: 'ETH', amount: '1000', receiveAddress: wallet }, wallet);
  expect(await harness.link(id, wallet)).toMatchObject({ verifiable: false });
  // The same transfer is reported for two links and confirmed for one of them.
  const links = [
    await harness.create({ receiveAddress: wallet }, wallet),
    await harness.create({ receiveAddress: wallet }, wallet),
  ];
  const [confirmed, other] = links.map((link) => link.id) as [string, string];
  // Without a node, the link uses the token address of the main network. The update sets the address of the test
  // network.
  const ofNode = 'UPDATE paylinks SET token_address = $1 WHERE id = ANY($2)';
  await harness.merchant.database.query(ofNode, [harness.chain.usdc.address, [confirmed, other]]);
  const once = await harness.chain.transfer(wallet, 3_500_000n, harness.chain.usdc.address);
  for (const link of links) expect(await harness.pay(link.id, once)).toEqual(unverifiable);
  const paymentId = (await harness.payments(confirmed, wallet))[0]!.id;
  await harness.merchant.call(
    paylinkPaymentsApi.operations.confirmPayLinkPayment,
    { id: confirmed, paymentId },
    walletPrincipal(wallet),
  );
  const paid = await harness.chain.transfer(wallet, 1_000n);
  const short = await harness.chain.transfer(wallet, 999n);
  await harness.anvil.mine(confirmations);
  for (const txHash of [paid, short]) expect(await harness.pay(id, txHash)).toEqual(unverifiable);
  // This replica has nodes.
  await harness.startApp();
  await eventually(async () =>
    expect(await harness.payments(id, wallet)).toMatchObject([
      { tx_hash: short, status: 'partial', verified: true },
      { tx_hash: paid, status: 'counted', verified: true, confirmed: false, amount: '1000' },
    ]),
  );
  expect(await harness.link(id, wallet)).toMatchObject({ payment_count: 1, unverified_count: 0 });
  await eventually(async () =>
    expect(await harness.payments(other, wallet)).toMatchObject([
      { status: 'rejected', reason: 'The transaction already counts as the payment of another PayLink.' },
    ]),
  );
  expect(await harness.payments(confirmed, wallet)).toMatchObject([{ status: 'counted', confirmed: true }]);
});
