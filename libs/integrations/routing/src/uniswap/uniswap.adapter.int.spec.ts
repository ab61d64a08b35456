import { loadEvmChains, uniswapOn } from '@tollbridge/chains';
import { EvmRpc } from '@tollbridge/evm';
import { deployLocalChain, type LocalChain, type TestToken } from '@tollbridge/local-chain';
import { deployTestToken, mined } from '@tollbridge/onchain';
import { closedUrl, startAnvil } from '@tollbridge/testing';
import { Contract, MaxUint256, parseEther, Wallet, type TransactionReceipt } from 'ethers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteToken } from '../cross-chain-routes';
import type { BuiltSwap, SwapBuildRequest } from '../swap-routes';
import { Uniswap } from './uniswap.adapter';

const dollars = (count: number) => BigInt(count) * 10n ** 6n;
const approveAbi = ['function approve(address spender, uint256 amount)'];

let chain: LocalChain;
let rpc: EvmRpc;
let uniswap: Uniswap;
let eth: RouteToken;
let usdc: RouteToken;
let usdt: RouteToken;
let dai: RouteToken;
let weth: RouteToken;
let state: unknown;

beforeAll(async () => {
  chain = await deployLocalChain(await startAnvil({ chainId: 8453 }));
  await chain.deployExchange();
  [usdc, usdt, dai, weth] = [chain.usdc, chain.usdt, chain.dai, chain.weth].map(routeToken) as [
    RouteToken,
    RouteToken,
    RouteToken,
    RouteToken,
  ];
  eth = { chain: chain.id, symbol: 'ETH', address: null, decimals: 18 };
  rpc = new EvmRpc({ chainId: 8453, urls: [chain.anvil.url], maxLagBlocks: 5 });
  uniswap = uniswapOver(rpc);
});
afterAll(() => chain?.anvil.stop());
beforeEach(async () => {
  state = await chain.anvil.send('evm_snapshot');
});
afterEach(async () => {
  await chain.anvil.send('evm_revert', [state]);
});

function routeToken({ symbol, address, decimals }: TestToken): RouteToken {
  return { chain: chain.id, symbol, address, decimals };
}

/** Opens the adapter like a service, from a `CHAINS_FILE`. */
function uniswapOver(reads: EvmRpc): Uniswap {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-uniswap-'));
  const path = join(folder, 'chains.json');
  writeFileSync(path, JSON.stringify({ chains: [chain.deployment({})] }));
  const [deployed] = loadEvmChains(path);
  rmSync(folder, { recursive: true });
  return new Uniswap({ chains: [{ chain: deployed!, reads, contracts: uniswapOn(deployed!)! }] });
}

async function swapOf(
  from: RouteToken,
  to: RouteToken,
  amountInAtomic: bigint,
  changes: Partial<SwapBuildRequest> = {},
): Promise<SwapBuildRequest> {
  return {
    from,
    to,
    amountInAtomic,
    slippageBps: 50,
    sender: chain.payer.address,
    recipient: Wallet.createRandom().address,
    deadline: new Date(((await chain.anvil.time()) + 600) * 1_000),
    minAmountOutAtomic: 0n,
    ...changes,
  };
}

/** Signs and sends a swap like the user's wallet. */
async function send({ spender, transaction }: BuiltSwap, token: string | null): Promise<TransactionReceipt> {
  const { payer } = chain;
  if (spender)
    await mined(
      await new Contract(token!, approveAbi, payer).getFunction('approve').send(spender, MaxUint256),
    );
  const { to, data, valueAtomic } = transaction;
  return mined(await payer.sendTransaction({ to, data, value: valueAtomic, gasLimit: 2_000_000n }));
}

describe('Uniswap swap', () => {
  it.each<[string, () => [RouteToken, RouteToken, bigint], number, bigint]>([
    ['a token for a token', () => [usdc, usdt, dollars(250)], 0, dollars(249)],
    ['a token for a token over two pools', () => [usdt, dai, dollars(250)], 0, parseEther('249')],
    ['the coin for a token', () => [eth, usdc, parseEther('1')], 0, dollars(4190)],
    ['the coin for a token over two pools', () => [eth, dai, parseEther('1')], 0, parseEther('4190')],
    ['a token for the coin', () => [usdt, eth, dollars(4200)], 0, parseEther('0.999')],
    ['a token for the coin over two pools', () => [dai, eth, parseEther('4200')], 0, parseEther('0.999')],
    ['the wrapped coin for a token', () => [weth, usdc, parseEther('2')], 0, dollars(8390)],
  ])('delivers exactly the quoted amount for %s', async (_, tokens, impactBps, least) => {
    const request = await swapOf(...tokens());
    const { from, to, recipient } = request;

    const quote = await uniswap.quote(request);
    const built = await uniswap.build(request);
    const receipt = await send(built, from.address);

    expect(built.quote).toEqual(quote);
    expect(quote.priceImpactBps).toBe(impactBps);
    expect(await chain.balanceOf(recipient, to.address ?? undefined)).toBe(quote.amountOutAtomic);
    expect(quote.amountOutAtomic).toBeGreaterThan(least);
    expect(built.spender).toBe(from.address && chain.exchange!.router);
    expect(quote.gasUnits).toBeGreaterThanOrEqual(receipt.gasUsed);
    expect(quote.gasUnits).toBeLessThan(receipt.gasUsed + receipt.gasUsed / 2n);
    expect(await chain.balanceOf(chain.exchange!.router)).toBe(0n);
  });

  it('uses two pools if the direct pool costs more', async () => {
    const { steps, fees } = await uniswap.quote(await swapOf(dai, weth, parseEther('4200')));

    expect(steps).toHaveLength(1);
    expect(fees).toMatchObject([{ name: 'Pool fee', isIncluded: true, token: dai }]);
    // Fees of 0.01 % and 0.05 % instead of 0.3 %.
    expect(fees[0]!.amountAtomic).toBe((parseEther('4200') * 599_950n) / 1_000_000_000n);
  });

  it('returns the price impact of a large swap', async () => {
    const { priceImpactBps } = await uniswap.quote(await swapOf(usdc, weth, dollars(10_000_000)));

    expect(priceImpactBps).toBeGreaterThanOrEqual(9);
    expect(priceImpactBps).toBeLessThanOrEqual(11);
  });

  it('returns no price impact for a tiny swap', async () => {
    expect(await uniswap.quote(await swapOf(usdc, usdt, 1_000n))).toMatchObject({ priceImpactBps: null });
  });

  it('enforces the guaranteed minimum after slippage', async () => {
    const request = await swapOf(usdc, usdt, dollars(100));
    const { amountOutAtomic } = await uniswap.quote(request);

    const loose = await uniswap.build(request);
    const strict = await uniswap.build({ ...request, minAmountOutAtomic: amountOutAtomic });

    expect(loose.quote.minAmountOutAtomic).toBe((amountOutAtomic * 9_950n) / 10_000n);
    expect(strict.quote.minAmountOutAtomic).toBe(amountOutAtomic);
  });

  it.each<[string, (() => [RouteToken, RouteToken, bigint])[]]>([
    ['a token', [() => [weth, usdc, parseEther('1')], () => [weth, usdc, parseEther('9000')]]],
    ['the coin', [() => [usdc, eth, dollars(4200)], () => [usdc, eth, dollars(200_000_000)]]],
  ])('reverts for %s after a large price change without spending anything', async (_, [own, others]) => {
    await chain.weth.mint(chain.payer.address, parseEther('9000'));
    const request = await swapOf(...own!());
    const token = request.from.address!;
    const built = await uniswap.build(request);
    await send(await uniswap.build(await swapOf(...others!())), token);
    const before = await chain.balanceOf(chain.payer.address, token);

    await expect(send(built, token)).rejects.toMatchObject({ code: 'CALL_EXCEPTION' });

    expect(await chain.balanceOf(chain.payer.address, token)).toBe(before);
  });

  it('reverts after its deadline', async () => {
    const request = await swapOf(usdc, usdt, dollars(10));
    const built = await uniswap.build(request);
    await chain.anvil.mineAt(Math.floor(request.deadline.getTime() / 1_000) + 1);

    await expect(send(built, usdc.address)).rejects.toMatchObject({ code: 'CALL_EXCEPTION' });
  });

  it('rejects a swap below the guaranteed minimum', async () => {
    const request = await swapOf(usdc, usdt, dollars(10), { minAmountOutAtomic: dollars(11) });

    await expect(uniswap.build(request)).rejects.toMatchObject({ reason: 'priceMoved' });
  });

  it.each(['0x', `0x${'0'.repeat(40)}`, `0x${'0'.repeat(39)}1`, `0x${'0'.repeat(39)}2`])(
    'rejects the recipient %s',
    async (recipient) => {
      const request = await swapOf(usdc, usdt, dollars(10), { recipient });

      await expect(uniswap.build(request)).rejects.toMatchObject({ reason: 'badRecipient' });
    },
  );
});

describe('wrapping', () => {
  it.each<[string, () => [RouteToken, RouteToken]]>([
    ['wraps the coin', () => [eth, weth]],
    ['unwraps the coin', () => [weth, eth]],
  ])('%s at 1:1, for the sender and another recipient', async (_, tokens) => {
    const amountInAtomic = parseEther('3');
    const [from, to] = tokens();
    const forOther = await swapOf(from, to, amountInAtomic);
    const forOneself = { ...forOther, recipient: chain.payer.address };

    const built = await uniswap.build(forOneself);
    expect(built).toMatchObject({ spender: null, transaction: { to: weth.address } });
    expect(built.quote).toMatchObject({
      amountOutAtomic: amountInAtomic,
      minAmountOutAtomic: amountInAtomic,
      fees: [],
      priceImpactBps: 0,
      steps: [{ venue: 'wrapped-coin' }],
    });
    const before = await chain.balanceOf(chain.payer.address, weth.address!);
    const own = await send(built, from.address);
    const change = (await chain.balanceOf(chain.payer.address, weth.address!)) - before;
    expect(change).toBe(from === eth ? amountInAtomic : -amountInAtomic);
    expect(built.transaction.gasUnits).toBeGreaterThan(own.gasUsed);

    const routed = await uniswap.build(forOther);
    const others = await send(routed, from.address);
    expect(await chain.balanceOf(forOther.recipient, to.address ?? undefined)).toBe(amountInAtomic);
    expect(routed.transaction.gasUnits).toBeGreaterThan(others.gasUsed);
  });
});

describe('Uniswap rejections', () => {
  it('rejects a token without a pool', async () => {
    const lonely = await deployTestToken(chain.anvil.wallet(0), { name: 'L', symbol: 'L', decimals: 18 });
    const token = { chain: chain.id, symbol: 'L', address: lonely.address, decimals: 18 };

    expect(uniswap.serves(usdc, token)).toBe(true);
    const asked = uniswap.quote(await swapOf(usdc, token, dollars(1)));
    await expect(asked).rejects.toMatchObject({ name: 'RouteRejection', reason: 'noRoute' });
  });

  it('rejects an amount above the liquidity', async () => {
    const asked = uniswap.quote(await swapOf(usdc, usdt, MaxUint256 >> 2n));
    await expect(asked).rejects.toMatchObject({ name: 'RouteRejection', reason: 'noLiquidity' });
  });

  it('rejects an amount of 0', async () => {
    const asked = uniswap.quote(await swapOf(usdc, usdt, 0n));
    await expect(asked).rejects.toMatchObject({ reason: 'noLiquidity' });
  });

  it.each<[string, () => [RouteToken, RouteToken]]>([
    ['another chain', () => [usdc, { ...usdt, chain: 'eip155:42161' }]],
    [
      'a chain without nodes',
      () => [
        { ...usdc, chain: 'eip155:1' },
        { ...usdt, chain: 'eip155:1' },
      ],
    ],
    ['the same token', () => [usdc, { ...usdc, address: usdc.address!.toLowerCase() }]],
    ['the coin for itself', () => [eth, eth]],
    ['a string that is not an address', () => [usdc, { ...usdt, address: 'usdt.near' }]],
  ])('rejects %s', async (_, tokens) => {
    const [from, to] = tokens();

    expect(uniswap.serves(from, to)).toBe(false);
    await expect(uniswap.quote(await swapOf(from, to, 1n))).rejects.toMatchObject({ reason: 'noRoute' });
  });
});

describe('status of a Uniswap swap', () => {
  it('returns the swap transaction as the delivery', async () => {
    const query = { from: usdc, to: usdt, recipient: chain.payer.address, txHash: `0x${'ab'.repeat(32)}` };

    expect(await uniswap.status(query)).toEqual({
      state: 'delivered',
      deliveryTxHash: query.txHash,
      refundTxHash: null,
      reason: null,
    });
  });
});

describe('unavailable chain', () => {
  it('reports an unavailable provider', async () => {
    const away = new EvmRpc({ chainId: 8453, urls: [await closedUrl()], maxLagBlocks: 5 });
    const asked = uniswapOver(away).quote(await swapOf(usdc, usdt, dollars(1)));

    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
  });

  it('ends when the caller aborts', async () => {
    const asked = uniswapOver(rpc).quote(await swapOf(usdc, usdt, dollars(1)), AbortSignal.abort());

    await expect(asked).rejects.toMatchObject({ name: 'ProviderError', kind: 'unavailable' });
  });
});
