import { paylinksApi } from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { eventually, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confirmations, PayLinkWorld, someWallet } from '../testing/paylink-world';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'tollbridge-balances-'));
const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const unverifiable = { success: false, verified: false, status: 'unverifiable' };
const hash = (digits: string) => digits.repeat(64 / digits.length);
let world: PayLinkWorld;
let indexer: HttpServer;
beforeAll(async () => {
  indexer = await startHttpServer(() => ({}));
  const file = join(folder, 'balances.json');
  writeFileSync(file, JSON.stringify({ sources: [{ chain: 'btc', urls: [indexer.url] }] }));
  // No node of any chain.
  const settings = { BALANCES_FILE: file, CHAINS_FILE: join(__dirname, '..', 'testing', 'no-chains.json') };
  world = await PayLinkWorld.start({ settings });
});
afterAll(async () => {
  await world?.close();
  await indexer?.close();
  rmSync(folder, { recursive: true });
});

/** The indexer says that the address holds so much. */
function hold(funded: number): void {
  const none = { funded_txo_count: 0, funded_txo_sum: 0, spent_txo_count: 0, spent_txo_sum: 0, tx_count: 0 };
  const chain_stats = { ...none, funded_txo_count: 1, funded_txo_sum: funded, tx_count: 1 };
  indexer.answer = () => ({ body: { address, chain_stats, mempool_stats: none } });
}

const bitcoin = { network: 'btc', token: 'BTC', amount: '1000', receiveAddress: address };

describe('the balance of the receiver of an unverifiable payment', () => {
  it('is shown as it was at the report and as it is now, and counts nothing', async () => {
    const wallet = someWallet();
    const { id } = await world.create({ ...bitcoin, maxPayments: 1 }, wallet);
    hold(5_000);
    expect(await world.pay(id, hash('a1'))).toEqual(unverifiable);
    hold(6_000);
    expect(await world.pay(id, hash('a1'))).toEqual(unverifiable);
    expect(await world.payments(id, wallet)).toMatchObject([
      { status: 'unverifiable', amount: null, receiver_balance: { at_report: '5000', now: '6000' } },
    ]);
    expect(await world.link(id, wallet)).toMatchObject({ payment_count: 0 });
  });

  it('is null where the indexer fails or is too slow, and the report is kept all the same', async () => {
    const wallet = someWallet();
    const { id } = await world.create(bitcoin, wallet);
    indexer.answer = () => ({ status: 500 });
    expect(await world.pay(id, hash('b1'))).toEqual(unverifiable);
    indexer.answer = () => ({ silent: true });
    const startedAt = Date.now();
    expect(await world.pay(id, hash('b2'))).toEqual(unverifiable);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    indexer.answer = () => ({ body: { chain_stats: 'a lie' } });
    expect((await world.payments(id, wallet)).map((payment) => payment.receiver_balance)).toEqual([
      { at_report: null, now: null },
      { at_report: null, now: null },
    ]);
  });

  it('is not read for payments that are decided, or where no indexer is configured', async () => {
    const wallet = someWallet();
    const { id } = await world.create(bitcoin, wallet);
    hold(5_000);
    await world.pay(id, hash('c1'));
    const [payment] = await world.payments(id, wallet);
    const { rejectPayLinkPayment } = paylinksApi.operations;
    await world.merchant.call(rejectPayLinkPayment, { id, paymentId: payment!.id }, walletPrincipal(wallet));
    indexer.requests.length = 0;
    expect(await world.payments(id, wallet)).toMatchObject([{ status: 'rejected', receiver_balance: null }]);
    const other = await world.create(
      { network: 'doge', token: 'DOGE', receiveAddress: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L' },
      wallet,
    );
    await world.pay(other.id, hash('c2'));
    expect(await world.payments(other.id, wallet)).toMatchObject([
      { receiver_balance: { at_report: null, now: null } },
    ]);
    expect(indexer.requests).toEqual([]);
  });
});

it('verifies once a node of the network is configured, and counts no transfer for a second link', async () => {
  const wallet = someWallet();
  const { id } = await world.create({ token: 'ETH', amount: '1000', receiveAddress: wallet }, wallet);
  expect(await world.link(id, wallet)).toMatchObject({ verifiable: false });
  // One transfer, reported for two links and confirmed for one.
  const links = [
    await world.create({ receiveAddress: wallet }, wallet),
    await world.create({ receiveAddress: wallet }, wallet),
  ];
  const [confirmed, other] = links.map((link) => link.id) as [string, string];
  // Without a node the link has the token of the main network.
  const ofNode = 'UPDATE paylinks SET token_address = $1 WHERE id = ANY($2)';
  await world.merchant.database.query(ofNode, [world.chain.usdc.address, [confirmed, other]]);
  const once = await world.chain.transfer(wallet, 3_500_000n, world.chain.usdc.address);
  for (const link of links) expect(await world.pay(link.id, once)).toEqual(unverifiable);
  const paymentId = (await world.payments(confirmed, wallet))[0]!.id;
  await world.merchant.call(
    paylinksApi.operations.confirmPayLinkPayment,
    { id: confirmed, paymentId },
    walletPrincipal(wallet),
  );
  const paid = await world.chain.transfer(wallet, 1_000n);
  const short = await world.chain.transfer(wallet, 999n);
  await world.anvil.mine(confirmations);
  for (const txHash of [paid, short]) expect(await world.pay(id, txHash)).toEqual(unverifiable);
  // A replica with nodes.
  await world.startApp();
  await eventually(async () =>
    expect(await world.payments(id, wallet)).toMatchObject([
      { tx_hash: short, status: 'rejected', verified: false },
      { tx_hash: paid, status: 'counted', verified: true, confirmed: false, amount: '1000' },
    ]),
  );
  expect(await world.link(id, wallet)).toMatchObject({ payment_count: 1, unverified_count: 0 });
  await eventually(async () =>
    expect(await world.payments(other, wallet)).toMatchObject([
      { status: 'rejected', reason: 'The transaction already counts as the payment of another PayLink.' },
    ]),
  );
  expect(await world.payments(confirmed, wallet)).toMatchObject([{ status: 'counted', confirmed: true }]);
});
