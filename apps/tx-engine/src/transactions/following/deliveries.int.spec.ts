import type { TransactionStatus } from '@tollbridge/contracts';
import { eventually, startHttpServer, type HttpReply, type HttpServer } from '@tollbridge/testing';
import type { HDNodeWallet } from 'ethers';
import { TxEngine, type Symbol } from '../../testing/tx-engine';

const confirmations = 2;
const usd = 10n ** 6n;
const amount = 100n * usd;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let provider: HttpServer;
let harness: TxEngine;
/** Replaces the provider's correct status of a deposit. */
let lie: ((truth: Record<string, unknown>) => HttpReply) | null = null;
let statusRequests = 0;

beforeAll(async () => {
  provider = await startHttpServer(() => ({ status: 503 }));
  harness = await TxEngine.start({ confirmations, settings: { ACROSS_URL: provider.url } });
  provider.answer = async ({ path, query }) => {
    const reply = await fetch(`${harness.simulators.acrossUrl}${path}?${query}`);
    const body = await reply.text();
    if (path !== '/deposit/status') return { status: reply.status, body };
    statusRequests++;
    if (lie) return lie(JSON.parse(body) as Record<string, unknown>);
    return { status: reply.status, body };
  };
});
afterAll(async () => {
  await harness?.close();
  await provider?.close();
});
afterEach(() => {
  lie = null;
  harness.simulators.outage('across', 'up');
});

interface Sent {
  id: string;
  user: HDNodeWallet;
  quoted: string;
}

async function executed(
  of = amount,
  input: { from?: Symbol; to?: Symbol } = {},
  changes: { recipient?: string } = {},
): Promise<Sent> {
  const { from = 'USDT', to = 'USDC' } = input;
  const user = await harness.newUser(from === 'ETH' ? {} : { [from]: of });
  const built = await harness.built({ from, to, amount: of, isAcross: true }, user, changes);
  await harness.executed(built, user);
  return { id: built.transactionId, user, quoted: built.outputAmount };
}

const confirming = (id: string) => harness.until(id, { status: 'confirming' });

/** Mines blocks until the provider was polled twice more. Expects that the set is still confirming. */
async function staysConfirming(id: string): Promise<TransactionStatus> {
  const before = statusRequests;
  await harness.mining(id, { status: 'confirming' });
  await eventually(
    async () => {
      await harness.chain.anvil.mine();
      await harness.other.anvil.mine();
      expect(statusRequests).toBeGreaterThanOrEqual(before + 2);
    },
    { everyMs: 100 },
  );
  await pause(300);
  const status = await harness.status(id);
  expect(status).toMatchObject({ status: 'confirming', result: null, failure: null });
  return status;
}

async function completes({ id, user, quoted }: Sent, to: Symbol = 'USDC'): Promise<void> {
  const done = await harness.mining(id, { status: 'completed' });
  expect(done.result!.finalAmountOut).toBe(quoted);
  expect(await harness.balance(to, user.address, harness.other)).toBe(BigInt(quoted));
}

/** Sends another payment of the expected token on the other chain. */
const paymentTo = (to: string, atomic: bigint, symbol: Symbol = 'USDC'): Promise<string> =>
  harness.other.transfer(to, atomic, harness.address(symbol, harness.other));

const filledBy =
  (hash: string | null) =>
  (truth: Record<string, unknown>): HttpReply => ({
    body: { ...truth, status: 'filled', fillTx: hash, fillTxnRef: hash, actionsSucceeded: null },
  });

describe('delivery reported by the provider', () => {
  it('ignores an unknown hash, and completes the set with the real one', async () => {
    lie = filledBy(`0x${'ab'.repeat(32)}`);
    const sent = await executed();
    await staysConfirming(sent.id);
    lie = null;
    await completes(sent);
  });

  it.each<[string, (sent: Sent) => Promise<string>]>([
    ['pays another recipient', () => paymentTo(harness.other.stranger.address, amount)],
    ['pays another token', ({ user }) => paymentTo(user.address, amount, 'USDT')],
    [
      'pays a token of the same name',
      async ({ user }) => harness.other.transfer(user.address, amount, harness.other.fakeUsdc.address),
    ],
  ])('ignores a transaction that %s', async (_title, pay) => {
    lie = filledBy(null);
    const sent = await executed();
    await confirming(sent.id);
    const hash = await pay(sent);
    lie = filledBy(hash);
    await staysConfirming(sent.id);
    lie = null;
    await completes(sent);
  });

  it('ignores native coins that the transaction unwrapped for another recipient', async () => {
    lie = filledBy(null);
    const sent = await executed(10n ** 17n, { from: 'ETH', to: 'ETH' });
    const before = await harness.balance('ETH', sent.user.address, harness.other);
    await confirming(sent.id);
    const { weth, payer } = harness.other;
    const withdraw = `0x2e1a7d4d${(10n ** 18n).toString(16).padStart(64, '0')}`;
    const { hash } = await payer.sendTransaction({ to: weth.address, data: withdraw });
    await harness.other.mined(hash);
    lie = filledBy(hash);
    await staysConfirming(sent.id);
    lie = null;
    const done = await harness.mining(sent.id, { status: 'completed' });
    expect(done.result!.finalAmountOut).toBe(sent.quoted);
    expect(await harness.balance('ETH', sent.user.address, harness.other)).toBe(before + BigInt(sent.quoted));
  });

  it('ignores a delivery without a hash', async () => {
    lie = filledBy(null);
    const sent = await executed();
    await staysConfirming(sent.id);
    lie = null;
    await completes(sent);
  });

  it('fails the set when less than the minimum was delivered, and reports the amount', async () => {
    lie = filledBy(null);
    const { id, user, quoted } = await executed();
    await confirming(id);
    const hash = await paymentTo(user.address, BigInt(quoted) / 2n);
    lie = filledBy(hash);
    const status = await harness.mining(id, { status: 'failed' });
    expect(status.failure!.details).toMatchObject({
      step: 'bridge',
      txHash: hash,
      reason: expect.stringMatching(`^${BigInt(quoted) / 2n} were delivered, less than the minimum`),
    });
    expect(await harness.snapshot(id)).toMatchObject({ status: 'failed', spent: true });
  });

  it('fails the set when the bridged token was delivered without the last swap', async () => {
    lie = filledBy(null);
    const { id, user } = await executed(amount, { to: 'DAI' });
    await confirming(id);
    const hash = await paymentTo(user.address, amount);
    lie = (truth) => ({ body: { ...truth, status: 'filled', fillTxnRef: hash, actionsSucceeded: false } });
    const status = await harness.mining(id, { status: 'failed' });
    expect(status.failure!.details).toMatchObject({
      step: 'destinationSwap',
      txHash: hash,
      reason: 'the last swap failed, and the bridged token was delivered',
    });
    expect(await harness.snapshot(id)).toMatchObject({ status: 'failed', spent: true });
  });

  it('completes the set if the chain shows the delivery, although the provider reports a failure', async () => {
    lie = (truth) => ({ body: { ...truth, actionsSucceeded: false } });
    await completes(await executed());
  });

  it('completes the set for a recipient other than the signer', async () => {
    const to = harness.other.anvil.wallet(7).address;
    const before = await harness.balance('USDC', to, harness.other);
    const { id, quoted, user } = await executed(amount, {}, { recipient: to });
    const done = await harness.mining(id, { status: 'completed' });
    expect(done.result!.finalAmountOut).toBe(quoted);
    expect((await harness.balance('USDC', to, harness.other)) - before).toBe(BigInt(quoted));
    expect(await harness.balance('USDC', user.address, harness.other)).toBe(0n);
  });
});

describe('a failed status request', () => {
  it.each<[string, (truth: Record<string, unknown>) => HttpReply]>([
    ['answers 500', () => ({ status: 500, body: 'oops' })],
    ['answers HTML', () => ({ body: '<html>' })],
    [
      'answers for another deposit',
      (truth) => ({
        body: { ...truth, status: 'refunded', depositTxnRef: `0x${'cd'.repeat(32)}` },
      }),
    ],
    ['returns an unknown status', (truth) => ({ body: { ...truth, status: 'slowFillRequested' } })],
    ['answers pending', (truth) => ({ body: { ...truth, status: 'pending' } })],
    ['answers 404', () => ({ status: 404, body: { error: 'DepositNotFoundException' } })],
    ['closes during the reply', () => ({ half: '{"status":' })],
  ])('leaves the set confirming, and is retried, when the provider %s', async (_title, answer) => {
    lie = answer;
    const sent = await executed();
    await staysConfirming(sent.id);
    lie = null;
    await completes(sent);
  });

  it('does not delay sets of other providers', async () => {
    const user = await harness.newUser();
    const swapMs = async (): Promise<number> => {
      const built = await harness.built({ from: 'ETH', to: 'USDC', amount: 10n ** 16n }, user);
      const startMs = performance.now();
      await harness.executed(built, user);
      await harness.mining(built.transactionId, { status: 'completed' });
      return performance.now() - startMs;
    };
    const usualMs = await swapMs();
    lie = () => ({ silent: true });
    const across = await executed();
    await confirming(across.id);
    await harness.chain.anvil.mine(confirmations);
    await eventually(() => expect(provider.requests.at(-1)!.path).toBe('/deposit/status'));
    // A swap that waited for the provider would take the provider's time-out of 5 s longer.
    expect(await swapMs()).toBeLessThan(2 * usualMs + 3_000);
    lie = null;
    await completes(across);
  });
});

describe('an outcome of the sandbox', () => {
  it('fails the set with the hash of the refund if no relayer fills the deposit', async () => {
    const { id, user } = await executed(100_006_504n, { from: 'USDC' });
    await confirming(id);
    await passOnBoth(25);
    const status = await harness.mining(id, { status: 'failed' });
    const { details } = status.failure!;
    expect(details).toMatchObject({ step: 'bridge', reason: 'not filled before the deadline' });
    const refund = await harness.chain.anvil.provider.getTransactionReceipt(
      (details as { txHash: string }).txHash,
    );
    expect(refund).toMatchObject({ status: 1 });
    expect(await harness.balance('USDC', user.address)).toBe(100_006_504n);
    expect(status.result).toMatchObject({ success: false, finalAmountOut: '0' });
    expect(await harness.snapshot(id)).not.toHaveProperty('spent');
  });

  it('fails the set with the hash of the refund if the destination swap reverts', async () => {
    const { id, user } = await executed(100_006_505n, { from: 'USDC', to: 'DAI' });
    await confirming(id);
    await passOnBoth(25);
    const status = await harness.mining(id, { status: 'failed' });
    expect(status.failure!.details).toMatchObject({
      step: 'destinationSwap',
      txHash: expect.stringMatching(/^0x/),
      reason: 'not filled before the deadline',
    });
    expect(await harness.balance('DAI', user.address, harness.other)).toBe(0n);
    expect(await harness.balance('USDC', user.address)).toBe(100_006_505n);
  });

  it('completes the set after an outage', async () => {
    harness.simulators.outage('across', 'up');
    const sent = await executed();
    harness.simulators.outage('across', 'down');
    await confirming(sent.id);
    await harness.chain.anvil.mine(confirmations);
    await pause(3_000);
    expect(await harness.status(sent.id)).toMatchObject({ status: 'confirming', failure: null });
    harness.simulators.outage('across', 'up');
    await completes(sent);
  });
});

/** Advances the time of the chains. */
async function passOnBoth(seconds: number): Promise<void> {
  for (const { anvil } of [harness.chain, harness.other]) await anvil.mineAt((await anvil.time()) + seconds);
}
