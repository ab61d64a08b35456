import { eventually } from '@tollbridge/testing';
import { SwapHarness, fresh, type SwapParams } from '../testing/swap-harness';

let harness: SwapHarness;

beforeAll(async () => {
  harness = await SwapHarness.start();
  await harness.approve('USDC', harness.base.across.spokePool);
});
afterAll(() => harness?.close());

const usdc = (amountAtomic: bigint, recipient: string): SwapParams => ({
  from: 'USDC',
  to: 'USDC',
  amountAtomic,
  recipient,
});

const pooled = async (): Promise<number> => {
  const { provider } = harness.arbitrum.chain.anvil;
  const { address } = harness.arbitrum.chain.solver;
  const [latest, pending] = await Promise.all(
    (['latest', 'pending'] as const).map((tag) => provider.getTransactionCount(address, tag)),
  );
  return pending! - latest!;
};

it('fills twenty concurrent deposits once each', async () => {
  const { base, arbitrum } = harness;
  const recipients = Array.from({ length: 20 }, fresh);
  const quotes = await Promise.all(
    recipients.map((recipient, index) => harness.approval(usdc(5_000_000n + BigInt(index), recipient))),
  );
  const nonce = await base.chain.payer.getNonce();
  const sent = await Promise.all(
    quotes.map(({ swapTx: { to, data } }, index) =>
      base.chain.payer.sendTransaction({ to, data, nonce: nonce + index, gasLimit: 500_000 }),
    ),
  );
  for (const { hash } of sent) await base.chain.mined(hash);
  await base.chain.anvil.mine(2);

  for (const { hash } of sent) await harness.until(hash, 'filled');

  for (const [index, recipient] of recipients.entries()) {
    const expected = BigInt(quotes[index]!.expectedOutputAmount);
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(expected);
  }
  const fills = await harness.fills();
  expect(new Set(fills).size).toBe(20);
  expect(fills).toHaveLength(20);
});

it.each(['is in the pool', 'was dropped from the pool'])(
  'continues after a restart when a fill %s',
  async (where) => {
    const { anvil } = harness.arbitrum.chain;
    const before = (await harness.fills()).length;
    const recipient = fresh();
    const quote = await harness.approval(usdc(7_000_000n, recipient));
    await anvil.setAutomine(false);
    const txHash = await harness.carryOut(quote);
    await eventually(async () => expect(await pooled()).toBe(1));

    await harness.simulators.close();
    if (where === 'was dropped from the pool') {
      await anvil.send('anvil_dropAllTransactions');
      expect(await pooled()).toBe(0);
    }
    await harness.startSimulators();
    await eventually(async () => expect(await pooled()).toBe(1));
    await anvil.setAutomine(true);
    await anvil.mine();

    await harness.until(txHash, 'filled');
    expect(await harness.fills()).toHaveLength(before + 1);
    expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBe(
      BigInt(quote.expectedOutputAmount),
    );
  },
);

it('resends a fill after a reorganisation removed it', async () => {
  const recipient = fresh();
  const quote = await harness.approval(usdc(8_000_000n, recipient));
  const txHash = await harness.carryOut(quote);
  await harness.until(txHash, 'filled');

  await harness.arbitrum.chain.anvil.reorg(1);

  await eventually(async () =>
    expect(await harness.balance(harness.arbitrum, 'USDC', recipient)).toBe(
      BigInt(quote.expectedOutputAmount),
    ),
  );
});

it('detects earlier fills after its database is lost', async () => {
  const quote = await harness.approval(usdc(9_000_000n, fresh()));
  const txHash = await harness.carryOut(quote);
  const { fillTxnRef } = await harness.until(txHash, 'filled');
  await harness.simulators.close();
  await harness.database.query('TRUNCATE swap_payments, bridge_deposits, bridge_cursors');
  await harness.startSimulators();

  const again = await harness.until(txHash, 'filled');

  expect(again.fillTxnRef).toBe(fillTxnRef);
  expect(new Set(await harness.fills()).size).toBe((await harness.fills()).length);
});
