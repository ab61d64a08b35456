import {
  multicallInstructions,
  spokePoolAbi,
  spokePoolPeripheryAbi,
  type AcrossContracts,
} from '@tollbridge/local-contracts';
import { mined } from '@tollbridge/onchain';
import { startAnvil } from '@tollbridge/testing';
import {
  AbiCoder,
  Contract,
  Interface,
  keccak256,
  MaxUint256,
  Wallet,
  ZeroAddress,
  ZeroHash,
  zeroPadValue,
  type HDNodeWallet,
  type Result,
} from 'ethers';
import { deployLocalChain, type LocalChain } from './local-chain';

interface Side {
  chain: LocalChain;
  chainId: number;
  across: AcrossContracts;
}

const approveAbi = ['function approve(address spender, uint256 amount)'];
const routerAbi = [
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, ' +
    'uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256)',
];
const dollars = (count: number) => BigInt(count) * 10n ** 6n;
const word = (address: string) => zeroPadValue(address, 32);
const filled = 2n;

let base: Side;
let arbitrum: Side;

beforeAll(async () => {
  [base, arbitrum] = (await Promise.all([8453, 42161].map(startSide))) as [Side, Side];
});
afterAll(() => Promise.all([base, arbitrum].map(({ chain }) => chain.anvil.stop())));

async function startSide(chainId: number): Promise<Side> {
  const chain = await deployLocalChain(await startAnvil({ chainId }));
  await chain.deployExchange();
  return { chain, chainId, across: await chain.deployBridge() };
}

async function send(
  { address, abi, from }: { address: string; abi: readonly string[]; from: HDNodeWallet },
  name: string,
  ...args: unknown[]
) {
  return mined(await new Contract(address, abi, from).getFunction(name).send(...args));
}

async function depositOf({ across, chain }: Side, txHash: string): Promise<Result> {
  const receipt = await chain.anvil.provider.getTransactionReceipt(txHash);
  const spokePool = new Interface(spokePoolAbi);
  const logs = receipt!.logs.filter(({ address }) => address === across.spokePool);
  return logs.map((log) => spokePool.parseLog(log)).find((it) => it?.name === 'FundsDeposited')!.args;
}

function relayDataOf(deposit: Result, originChainId: number) {
  const { depositor, recipient, exclusiveRelayer, inputToken, outputToken } = deposit;
  const { inputAmount, outputAmount, depositId, fillDeadline, exclusivityDeadline, message } = deposit;
  return {
    depositor,
    recipient,
    exclusiveRelayer,
    inputToken,
    outputToken,
    inputAmount,
    outputAmount,
    originChainId,
    depositId,
    fillDeadline,
    exclusivityDeadline,
    message,
  };
}

/** Pays the recipient as a relayer does. */
async function fill(from: Side, to: Side, txHash: string) {
  const { solver } = to.chain;
  const relayData = relayDataOf(await depositOf(from, txHash), from.chainId);
  await send(
    { address: to.chain.usdc.address, abi: approveAbi, from: solver },
    'approve',
    to.across.spokePool,
    MaxUint256,
  );
  const pool = { address: to.across.spokePool, abi: spokePoolAbi, from: solver };
  await send(pool, 'fillRelay', relayData, from.chainId, word(solver.address));
  return relayData;
}

async function deposit(from: Side, to: Side, recipient: string): Promise<string> {
  const { payer, usdc, anvil } = from.chain;
  await send(
    { address: usdc.address, abi: approveAbi, from: payer },
    'approve',
    from.across.spokePool,
    MaxUint256,
  );
  const now = await anvil.time();
  const { hash } = await send(
    { address: from.across.spokePool, abi: spokePoolAbi, from: payer },
    'depositV3',
    payer.address,
    recipient,
    usdc.address,
    to.chain.usdc.address,
    dollars(100),
    dollars(99),
    to.chainId,
    ZeroAddress,
    now,
    now + 3_600,
    0,
    '0x',
  );
  return hash;
}

describe('Bridge between two local chains', () => {
  it.each([
    ['Base to Arbitrum', () => [base, arbitrum] as const],
    ['Arbitrum to Base', () => [arbitrum, base] as const],
  ])('fills a deposit from %s once', async (_, sides) => {
    const [from, to] = sides();
    const recipient = Wallet.createRandom().address;

    const txHash = await deposit(from, to, recipient);
    const relayData = await fill(from, to, txHash);

    expect(await to.chain.balanceOf(recipient, to.chain.usdc.address)).toBe(dollars(99));
    const pool = new Contract(to.across.spokePool, spokePoolAbi, to.chain.solver);
    const relayHash = await pool.getFunction('getV3RelayHash').staticCall(relayData);
    expect(await pool.getFunction('fillStatuses').staticCall(relayHash)).toBe(filled);
    await expect(
      pool.getFunction('fillRelay').staticCall(relayData, from.chainId, ZeroHash),
    ).rejects.toMatchObject({ revert: { name: 'RelayFilled' } });
  });

  it('swaps before the deposit and after the fill', async () => {
    const recipient = Wallet.createRandom().address;
    const { chain } = base;
    await send(
      { address: chain.usdt.address, abi: approveAbi, from: chain.payer },
      'approve',
      base.across.periphery,
      MaxUint256,
    );
    const periphery = new Contract(base.across.periphery, spokePoolPeripheryAbi, chain.payer);
    const router = new Interface(routerAbi);
    const originSwap = router.encodeFunctionData('exactInputSingle', [
      {
        tokenIn: chain.usdt.address,
        tokenOut: chain.usdc.address,
        fee: 100,
        recipient: await periphery.getFunction('swapProxy').staticCall(),
        amountIn: dollars(100),
        amountOutMinimum: dollars(99),
        sqrtPriceLimitX96: 0n,
      },
    ]);
    const sent = await periphery.getFunction('swapAndBridge').send({
      submissionFees: { amount: 0n, recipient: ZeroAddress },
      depositData: {
        inputToken: chain.usdc.address,
        outputToken: word(arbitrum.chain.usdc.address),
        outputAmount: dollars(98),
        depositor: chain.payer.address,
        recipient: word(arbitrum.across.multicallHandler),
        destinationChainId: arbitrum.chainId,
        exclusiveRelayer: ZeroHash,
        quoteTimestamp: 0,
        fillDeadline: 3_600,
        exclusivityParameter: 0,
        message: destinationSwap(recipient),
      },
      swapToken: chain.usdt.address,
      exchange: chain.exchange!.router,
      transferType: 0,
      swapTokenAmount: dollars(100),
      minExpectedInputTokenAmount: dollars(99),
      routerCalldata: originSwap,
      enableProportionalAdjustment: false,
      spokePool: base.across.spokePool,
      nonce: 0n,
    });
    await mined(sent);
    await fill(base, arbitrum, sent.hash);

    const received = await arbitrum.chain.balanceOf(recipient, arbitrum.chain.dai.address);
    expect(received).toBeGreaterThan(98n * 10n ** 18n);
  });

  it('allows the owner to refund a relayer', async () => {
    const { solver, usdc } = base.chain;
    await deposit(base, arbitrum, Wallet.createRandom().address);
    const before = await base.chain.balanceOf(solver.address, usdc.address);
    const leaf = {
      amountToReturn: 0n,
      chainId: base.chainId,
      refundAmounts: [dollars(100)],
      leafId: 0,
      l2TokenAddress: usdc.address,
      refundAddresses: [solver.address],
    };
    const type = new Interface(spokePoolAbi).getFunction('executeRelayerRefundLeaf')!.inputs[1]!;
    const root = keccak256(AbiCoder.defaultAbiCoder().encode([type], [leaf]));
    const pool = { address: base.across.spokePool, abi: spokePoolAbi, from: solver };
    await send(pool, 'relayRootBundle', root, ZeroHash);
    await send(pool, 'executeRelayerRefundLeaf', 0, leaf, []);

    expect(await base.chain.balanceOf(solver.address, usdc.address)).toBe(before + dollars(100));
  });
});

/** The handler on Arbitrum swaps 98 USDC to DAI for the recipient. */
function destinationSwap(recipient: string): string {
  const { usdc, dai, exchange } = arbitrum.chain;
  const approve = new Interface(approveAbi).encodeFunctionData('approve', [exchange!.router, dollars(98)]);
  const swap = new Interface(routerAbi).encodeFunctionData('exactInputSingle', [
    {
      tokenIn: usdc.address,
      tokenOut: dai.address,
      fee: 100,
      recipient,
      amountIn: dollars(98),
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n,
    },
  ]);
  const calls = [
    { target: usdc.address, callData: approve, value: 0n },
    { target: exchange!.router, callData: swap, value: 0n },
  ];
  return AbiCoder.defaultAbiCoder().encode(
    [multicallInstructions],
    [{ calls, fallbackRecipient: recipient }],
  );
}
