import { eventually } from '@tollbridge/testing';
import { SwapWorld, fresh, type SwapWish } from '../testing/swap-world';

jest.setTimeout(90_000);

let world: SwapWorld;

beforeAll(async () => {
  world = await SwapWorld.start();
  await world.approve('USDC', world.base.across.spokePool);
});
afterAll(() => world?.close());

const usdc = (amountAtomic: bigint, recipient: string): SwapWish => ({
  ...{ from: 'USDC', to: 'USDC', amountAtomic, recipient },
});

const pooled = async (): Promise<number> => {
  const { provider } = world.arbitrum.chain.anvil;
  const { address } = world.arbitrum.chain.solver;
  const [latest, pending] = await Promise.all(
    (['latest', 'pending'] as const).map((tag) => provider.getTransactionCount(address, tag)),
  );
  return pending! - latest!;
};

it('fills twenty deposits at once, each of them once', async () => {
  const { base, arbitrum } = world;
  const recipients = Array.from({ length: 20 }, fresh);
  const quotes = await Promise.all(
    recipients.map((recipient, index) => world.approval(usdc(5_000_000n + BigInt(index), recipient))),
  );
  const nonce = await base.chain.payer.getNonce();
  const sent = await Promise.all(
    quotes.map(({ swapTx: { to, data } }, index) =>
      base.chain.payer.sendTransaction({ to, data, nonce: nonce + index, gasLimit: 500_000 }),
    ),
  );
  for (const { hash } of sent) await base.chain.mined(hash);
  await base.chain.anvil.mine(2);

  for (const { hash } of sent) await world.until(hash, 'filled', 20_000);

  for (const [index, recipient] of recipients.entries()) {
    const expected = BigInt(quotes[index]!.expectedOutputAmount);
    expect(await world.balance(arbitrum, 'USDC', recipient)).toBe(expected);
  }
  const fills = await world.fills();
  expect(new Set(fills).size).toBe(20);
  expect(fills).toHaveLength(20);
});

it.each(['waits in the pool', 'was lost before it was sent'])(
  'goes on after a restart while a fill %s',
  async (where) => {
    const { anvil } = world.arbitrum.chain;
    const before = (await world.fills()).length;
    const recipient = fresh();
    const quote = await world.approval(usdc(7_000_000n, recipient));
    await anvil.setAutomine(false);
    const txHash = await world.carryOut(quote);
    await eventually(async () => expect(await pooled()).toBe(1));

    await world.simulators.close();
    if (where === 'was lost before it was sent') {
      await anvil.send('anvil_dropAllTransactions');
      expect(await pooled()).toBe(0);
    }
    await world.startSimulators();
    await eventually(async () => expect(await pooled()).toBe(1));
    await anvil.setAutomine(true);
    await anvil.mine();

    await world.until(txHash, 'filled');
    expect(await world.fills()).toHaveLength(before + 1);
    expect(await world.balance(world.arbitrum, 'USDC', recipient)).toBe(BigInt(quote.expectedOutputAmount));
  },
);

it('sends a fill again that a reorganisation took back', async () => {
  const recipient = fresh();
  const quote = await world.approval(usdc(8_000_000n, recipient));
  const txHash = await world.carryOut(quote);
  await world.until(txHash, 'filled');

  await world.arbitrum.chain.anvil.reorg(1);

  await eventually(async () =>
    expect(await world.balance(world.arbitrum, 'USDC', recipient)).toBe(BigInt(quote.expectedOutputAmount)),
  );
});

it('takes note of deposits that were filled when it had forgotten them', async () => {
  const quote = await world.approval(usdc(9_000_000n, fresh()));
  const txHash = await world.carryOut(quote);
  const { fillTxnRef } = await world.until(txHash, 'filled');
  await world.simulators.close();
  await world.database.query('TRUNCATE swap_payments, bridge_deposits, bridge_cursors');
  await world.startSimulators();

  const again = await world.until(txHash, 'filled');

  expect(again.fillTxnRef).toBe(fillTxnRef);
  expect(new Set(await world.fills()).size).toBe((await world.fills()).length);
});
