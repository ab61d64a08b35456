import type { LocalChain } from '@tollbridge/local-chain';
import { eventually } from '@tollbridge/testing';
import { Contract, Wallet } from 'ethers';
import { OneClickHarness } from '../testing/oneclick-harness';

let harness: OneClickHarness;
let base: LocalChain;
let arbitrum: LocalChain;

beforeAll(async () => {
  harness = await OneClickHarness.start();
  ({ base, arbitrum } = harness);
});
afterAll(() => harness?.close());
// These tests expect no chain failure and no invalid SQL.
afterEach(() => expect([...harness.problems]).toEqual([]));

const fresh = (): string => Wallet.createRandom().address;

describe('1Click simulator: swap', () => {
  it('delivers the exact amount on the other chain, and returns the surplus', async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const quoted = await harness.quote({ recipient, refundTo });
    const { depositAddress, amountIn, minAmountIn } = quoted.quote;
    expect((await harness.status(quoted)).status).toBe('PENDING_DEPOSIT');

    const hash = await harness.pay(base, 'USDC', depositAddress!, BigInt(amountIn));

    const { swapDetails } = await harness.until(quoted, 'SUCCESS');
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(10_000_000n);
    const surplus = BigInt(amountIn) - BigInt(minAmountIn);
    expect(await harness.balance(base, 'USDC', refundTo)).toBe(surplus);
    expect(swapDetails).toMatchObject({
      amountIn: minAmountIn,
      amountOut: '10000000',
      amountOutFormatted: '10',
      depositedAmount: amountIn,
      refundedAmount: String(surplus),
      originChainTxHashes: [{ hash, explorerUrl: `https://basescan.org/tx/${hash}` }],
      slippage: 100,
    });
    const [delivery] = swapDetails.destinationChainTxHashes;
    const receipt = await arbitrum.anvil.provider.getTransactionReceipt(delivery!.hash);
    expect(receipt).toMatchObject({ status: 1, from: base.solver.address });
    // The deposit address is swept afterwards.
    await eventually(async () => expect(await harness.balance(base, 'USDC', depositAddress!)).toBe(0n));
  });

  it.each([
    ['ETH', 'ETH', '3000000000000000'],
    ['ETH', 'DAI', '5000000000000000000'],
    ['DAI', 'WETH', '3000000000000000'],
    ['WETH', 'USDC', '7000000'],
  ])('swaps from %s to %s', async (from, to, amount) => {
    const recipient = fresh();
    const quoted = await harness.quote({
      originAsset: harness.assetId('base', from),
      destinationAsset: harness.assetId('arb', to),
      amount,
      recipient,
    });

    const hash = await harness.pay(base, from, quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));

    const { swapDetails } = await harness.until(quoted, 'SUCCESS');
    expect(await harness.balance(arbitrum, to, recipient)).toBe(BigInt(amount));
    expect(swapDetails.originChainTxHashes.map((it) => it.hash)).toEqual([hash]);
    await eventually(async () =>
      expect(await harness.balance(base, from, quoted.quote.depositAddress!)).toBe(0n),
    );
  });

  it('delivers the value of an exact input', async () => {
    const recipient = fresh();
    const quoted = await harness.quote({ swapType: 'EXACT_INPUT', amount: '10000000', recipient });
    expect(quoted.quote).toMatchObject({ amountIn: '10000000', minAmountIn: '10000000' });

    await harness.pay(base, 'USDC', quoted.quote.depositAddress!, 10_000_000n);

    const { swapDetails } = await harness.until(quoted, 'SUCCESS');
    expect(swapDetails.amountOut).toBe(quoted.quote.amountOut);
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(BigInt(quoted.quote.amountOut));
  });

  it('accepts every amount of a flexible input', async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const quoted = await harness.quote({ swapType: 'FLEX_INPUT', amount: '10000000', recipient, refundTo });
    const paid = BigInt(quoted.quote.minAmountIn) + 5n;

    await harness.pay(base, 'USDC', quoted.quote.depositAddress!, paid);

    const { swapDetails } = await harness.until(quoted, 'SUCCESS');
    expect(swapDetails).toMatchObject({ amountIn: String(paid), depositedAmount: String(paid) });
    expect(swapDetails).not.toHaveProperty('refundedAmount');
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(BigInt(swapDetails.amountOut!));
  });

  it('reports a deposit immediately, and executes the swap when the deposit has its confirmations', async () => {
    await harness.paidAll();
    const recipient = fresh();
    const quoted = await harness.quote({ originAsset: harness.assetId('base', 'ETH'), recipient });
    const { depositAddress, amountIn } = quoted.quote;
    const { hash } = await base.payer.sendTransaction({ to: depositAddress!, value: BigInt(amountIn) });

    const known = await harness.until(quoted, 'KNOWN_DEPOSIT_TX');

    expect(known.swapDetails.originChainTxHashes.map((it) => it.hash)).toEqual([hash]);
    expect(known.swapDetails).not.toHaveProperty('depositedAmount');
    await base.anvil.mine();
    await harness.until(quoted, 'SUCCESS');
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(10_000_000n);
  });

  it('waits again after a reorganisation has removed the deposit', async () => {
    await harness.paidAll();
    const quoted = await harness.quote();
    const { depositAddress, amountIn } = quoted.quote;
    const token = new Contract(base.usdc.address, ['function transfer(address, uint256)'], base.payer);
    const { hash } = await token.getFunction('transfer').send(depositAddress, amountIn);
    await base.mined(hash);
    await harness.until(quoted, 'KNOWN_DEPOSIT_TX');

    await base.anvil.reorg(1);

    await harness.until(quoted, 'PENDING_DEPOSIT');
    const again = await harness.pay(base, 'USDC', depositAddress!, BigInt(amountIn));
    const { swapDetails } = await harness.until(quoted, 'SUCCESS');
    expect(swapDetails.originChainTxHashes.map((it) => it.hash)).toEqual([again]);
  });

  it('reports a submitted hash until it finds the deposit', async () => {
    const quoted = await harness.quote();
    const { depositAddress, amountIn } = quoted.quote;
    const body = { txHash: `0x${'ab'.repeat(32)}`, depositAddress };

    expect(await harness.post('/v0/deposit/submit', body)).toMatchObject({
      status: 201,
      body: { correlationId: quoted.correlationId, quoteResponse: quoted },
    });

    const known = await harness.until(quoted, 'KNOWN_DEPOSIT_TX');
    expect(known.swapDetails.originChainTxHashes).toEqual([
      { hash: body.txHash, explorerUrl: `https://basescan.org/tx/${body.txHash}` },
    ]);
    const hash = await harness.pay(base, 'USDC', depositAddress!, BigInt(amountIn));
    const { swapDetails } = await harness.until(quoted, 'SUCCESS');
    expect(swapDetails.originChainTxHashes.map((it) => it.hash)).toEqual([hash]);
  });

  it('ignores a deposit of another token', async () => {
    const quoted = await harness.quote();

    await harness.pay(base, 'ETH', quoted.quote.depositAddress!, 10n ** 18n);
    await harness.polled();

    expect((await harness.status(quoted)).status).toBe('PENDING_DEPOSIT');
  });
});

describe('1Click simulator: insufficient deposit', () => {
  it('reports an incomplete deposit, and completes the swap after a top-up', async () => {
    const recipient = fresh();
    const quoted = await harness.quote({ recipient });
    const { depositAddress, minAmountIn } = quoted.quote;
    const first = await harness.pay(base, 'USDC', depositAddress!, BigInt(minAmountIn) - 1n);
    const { swapDetails } = await harness.until(quoted, 'INCOMPLETE_DEPOSIT');
    expect(swapDetails.depositedAmount).toBe(String(BigInt(minAmountIn) - 1n));
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(0n);

    const second = await harness.pay(base, 'USDC', depositAddress!, 1n);

    const done = await harness.until(quoted, 'SUCCESS');
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(10_000_000n);
    expect(done.swapDetails.originChainTxHashes.map((it) => it.hash).sort()).toEqual([first, second].sort());
  });

  it('refunds the deposit at the deadline', async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const quoted = await harness.quote({ recipient, refundTo });
    await harness.pay(base, 'USDC', quoted.quote.depositAddress!, 4_000_000n);
    await harness.until(quoted, 'INCOMPLETE_DEPOSIT');

    await harness.oneclick.pastDeadline({ depositAddress: quoted.quote.depositAddress! });

    const { swapDetails } = await harness.until(quoted, 'REFUNDED');
    expect(swapDetails).toMatchObject({ refundReason: 'PARTIAL_DEPOSIT', refundedAmount: '4000000' });
    expect(swapDetails.destinationChainTxHashes).toEqual([]);
    expect(await harness.balance(base, 'USDC', refundTo)).toBe(4_000_000n);
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(0n);
  });
});

describe('1Click simulator: late deposit', () => {
  it('refunds a deposit after the deadline in full', async () => {
    const refundTo = fresh();
    const quoted = await harness.quote({ refundTo });
    await harness.oneclick.pastDeadline({ depositAddress: quoted.quote.depositAddress! });

    await harness.pay(base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));

    await harness.until(quoted, 'REFUNDED');
    expect(await harness.balance(base, 'USDC', refundTo)).toBe(BigInt(quoted.quote.amountIn));
  });

  it.each(['USDC', 'ETH'])('refunds a deposit after the delivery, in %s', async (symbol) => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const originAsset = harness.assetId('base', symbol);
    const quoted = await harness.quote({ originAsset, recipient, refundTo });
    const { depositAddress, amountIn } = quoted.quote;
    await harness.pay(base, symbol, depositAddress!, BigInt(amountIn));
    await harness.until(quoted, 'SUCCESS');
    await eventually(async () => expect(await harness.balance(base, symbol, depositAddress!)).toBe(0n));
    const before = await harness.balance(base, symbol, refundTo);
    const again = 10n ** 15n;

    await harness.pay(base, symbol, depositAddress!, again);

    await eventually(async () => expect(await harness.balance(base, symbol, refundTo)).toBe(before + again));
    expect((await harness.status(quoted)).status).toBe('SUCCESS');
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(10_000_000n);
  });
});

describe('1Click simulator: undeliverable swap', () => {
  it('refunds the deposit when the token rejects the recipient', async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    await harness.blockUsdc(arbitrum, recipient);
    const quoted = await harness.quote({ recipient, refundTo });

    await harness.pay(base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));

    const { swapDetails } = await harness.until(quoted, 'REFUNDED');
    expect(swapDetails).toMatchObject({
      refundReason: 'INTENT_SUBMIT_FAILED',
      refundedAmount: quoted.quote.amountIn,
    });
    expect(await harness.balance(base, 'USDC', refundTo)).toBe(BigInt(quoted.quote.amountIn));
  });

  it('refunds the deposit only when the price is beyond the slippage', async () => {
    const [recipient, refundTo] = [fresh(), fresh()];
    const pair = { originAsset: harness.assetId('base', 'WETH'), recipient, refundTo };
    const [near, far] = [await harness.quote(pair), await harness.quote(pair)];

    await harness.oneclick.setPrice('WETH', '4190');
    await harness.pay(base, 'WETH', near.quote.depositAddress!, BigInt(near.quote.amountIn));
    const { swapDetails } = await harness.until(near, 'SUCCESS');
    expect(BigInt(swapDetails.amountIn!)).toBeGreaterThan(BigInt(near.quote.minAmountIn));
    await harness.oneclick.setPrice('WETH', '4100');
    await harness.pay(base, 'WETH', far.quote.depositAddress!, BigInt(far.quote.amountIn));

    expect((await harness.until(far, 'REFUNDED')).swapDetails).toMatchObject({
      refundReason: 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT',
      refundedAmount: far.quote.amountIn,
    });
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(10_000_000n);
    await harness.oneclick.setPrice('WETH', '4200');
  });
});

describe('1Click simulator: crash', () => {
  it.each(['the transaction is in the pool', 'the transaction is lost'])(
    'pays once after a crash between signing and mining: %s',
    async (name) => {
      const recipient = fresh();
      const quoted = await harness.quote({ recipient });
      await arbitrum.anvil.setAutomine(false);
      await harness.pay(base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));
      const { txHash } = await eventually(async () => {
        const [row] = await harness.database.query<{ txHash: string }>(
          `SELECT p.tx_hash AS "txHash" FROM swap_payments p JOIN swaps s ON s.id = p.swap_id
           WHERE s.id = $1 AND p.state = 'signed'`,
          [quoted.correlationId],
        );
        expect(row).toBeDefined();
        return row!;
      });

      await harness.oneclick.close();
      if (name.includes('lost')) await arbitrum.anvil.send('anvil_dropTransaction', [txHash]);
      await harness.startSimulator();
      await arbitrum.anvil.setAutomine(true);
      await arbitrum.anvil.mine();

      // After the resend, the node mines the transaction without a further action.
      const { swapDetails } = await harness.until(quoted, 'SUCCESS');
      expect(swapDetails.destinationChainTxHashes.map((it) => it.hash)).toEqual([txHash]);
      expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(10_000_000n);
    },
  );

  it('signs the delivery again when another transaction used its nonce', async () => {
    const recipient = fresh();
    const quoted = await harness.quote({ recipient });
    await harness.paidAll();
    const { solver, anvil } = arbitrum;
    const nonce = await solver.getNonce();
    await anvil.setAutomine(false);
    await harness.pay(base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));
    await harness.until(quoted, 'PROCESSING');
    await eventually(async () =>
      expect(
        await harness.database.query("SELECT id FROM swap_payments WHERE state = 'signed'"),
      ).toHaveLength(1),
    );

    // Another program with this public key sends a transaction with a higher fee.
    const fee = 10n ** 12n;
    const gas = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
    await solver.sendTransaction({ to: fresh(), value: 1n, nonce, ...gas });
    await anvil.setAutomine(true);
    await anvil.mine();

    await harness.until(quoted, 'SUCCESS');
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(10_000_000n);
  });

  it('repeats the delivery once when the node has lost it', async () => {
    const recipient = fresh();
    const quoted = await harness.quote({ recipient });
    await harness.pay(base, 'USDC', quoted.quote.depositAddress!, BigInt(quoted.quote.amountIn));
    await harness.until(quoted, 'SUCCESS');
    await eventually(async () =>
      expect(await harness.balance(base, 'USDC', quoted.quote.depositAddress!)).toBe(0n),
    );
    await arbitrum.anvil.setAutomine(false);
    await arbitrum.anvil.send('anvil_rollback', [1]);
    expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(0n);
    await arbitrum.anvil.setAutomine(true);

    await eventually(async () =>
      expect(await harness.balance(arbitrum, 'USDC', recipient)).toBe(10_000_000n),
    );
  });
});
