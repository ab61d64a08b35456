import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { SwapHarness, fresh, type SwapParams } from '../testing/swap-harness';

let harness: SwapHarness;

beforeAll(async () => {
  harness = await SwapHarness.start();
});
afterAll(() => harness?.close());

interface Outcome {
  answer?: any;
  error?: { name: string; message: string; status: number };
}

/** Runs one call of the SDK in a separate process, because the SDK is an ES module only. */
async function sdk(action: string, input: object = {}): Promise<Outcome> {
  const program = join(__dirname, '../testing/across-sdk.mjs');
  const written = JSON.stringify({ action, apiUrl: harness.simulators.acrossUrl, ...input });
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [program], (error, stdout, stderr) =>
      error
        ? reject(new Error(`${error.message}\n${stderr}`))
        : resolve(JSON.parse(stdout.split('\n').at(-1)!) as Outcome),
    );
    child.stdin!.end(written);
  });
}

/** The same swap in the form of the SDK. */
function requestOf(wish: SwapParams): object {
  const { inputToken, outputToken, originChainId, destinationChainId, ...rest } = harness.approvalQuery(wish);
  const route = {
    inputToken,
    outputToken,
    originChainId: Number(originChainId),
    destinationChainId: Number(destinationChainId),
  };
  return { route, ...rest };
}

describe('Official Across SDK against the simulator', () => {
  it('lists chains and tokens', async () => {
    const { answer: chains } = await sdk('chains');
    const { answer: tokens } = await sdk('tokens');

    expect(chains).toMatchObject([{ chainId: 8453, name: 'Base' }, { chainId: 42161 }]);
    expect(tokens).toContainEqual({
      chainId: 8453,
      address: harness.base.chain.usdc.address,
      name: 'USDC',
      symbol: 'USDC',
      decimals: 6,
      logoUrl: '',
      priceUsd: '1',
    });
    expect(tokens).toHaveLength(10);
  });

  it('reads a quote by GET and by POST', async () => {
    const wish: SwapParams = { from: 'USDT', to: 'DAI', amountAtomic: 25_000_000n };

    const { answer, error } = await sdk('quote', { request: requestOf(wish) });

    expect(error).toBeUndefined();
    expect(answer).toMatchObject({ crossSwapType: 'anyToAny', inputAmount: '25000000' });
    const query = new URLSearchParams(harness.approvalQuery(wish));
    const url = `${harness.simulators.acrossUrl}/swap/approval?${query}`;
    expect(await harness.post(url, { actions: [] })).toMatchObject({
      status: 200,
      body: { expectedOutputAmount: answer.expectedOutputAmount },
    });
    expect(await harness.post(url, { actions: [{}] })).toMatchObject({ status: 400 });
  });

  it('quotes, approves, swaps and follows the fill', async () => {
    const recipient = fresh();
    const wish: SwapParams = { from: 'USDT', to: 'DAI', amountAtomic: 30_000_000n, recipient };
    const { base, arbitrum } = harness;
    // The SDK reads only the last hundred blocks.
    await Promise.all([base, arbitrum].map(({ chain }) => chain.anvil.mine(200)));
    const blocks = setInterval(() => void base.chain.anvil.mine(), 100);

    const chains = {
      origin: { chainId: 8453, rpcUrl: base.chain.anvil.url },
      destination: {
        chainId: 42161,
        rpcUrl: arbitrum.chain.anvil.url,
        spokePool: arbitrum.across.spokePool,
      },
    };

    const { answer, error } = await sdk('swap', {
      ...chains,
      request: requestOf(wish),
      privateKey: base.chain.payer.privateKey,
    }).finally(() => clearInterval(blocks));

    expect(error).toBeUndefined();
    expect(answer.progress.filter((step: string) => step.endsWith('txSuccess'))).toEqual([
      'approve txSuccess',
      'swap txSuccess',
      'fill txSuccess',
    ]);
    const { depositId, depositTx, fillTx } = answer;
    expect(await harness.until(depositTx, 'filled')).toMatchObject({ depositId, fillTxnRef: fillTx });
    expect(await sdk('fill', { ...chains, depositId, depositTx })).toEqual({
      answer: { fillTx, actionSuccess: true },
    });
    const { expectedOutputAmount } = answer.swapQuote;
    expect(await harness.balance(arbitrum, 'DAI', recipient)).toBe(BigInt(expectedOutputAmount));
  });

  it('parses errors', async () => {
    const { error } = await sdk('quote', {
      request: requestOf({ from: 'USDC', to: 'USDC', amountAtomic: 100n }),
    });

    expect(error).toMatchObject({
      name: 'AcrossApiError',
      status: 400,
      message: expect.stringContaining('is too low to cover bridge fees'),
    });
  });
});
