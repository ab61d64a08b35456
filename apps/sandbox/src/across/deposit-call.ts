import { AbiCoder, MaxUint256, ZeroAddress, ZeroHash } from 'ethers';
import { amountInOffset, readRouterCall, routerCall } from '../markets/uniswap';
import type { ContractCall } from '../oneclick/evm-node';
import { erc20, instructionsType, multicallHandler, periphery, spokePool, toBytes32 } from './contracts';
import { shortFillSeconds, type Outcome } from './magic-amounts';
import type { SwapPlan } from './plan-swap';

export interface DepositParties {
  /** Receives the refund on the origin when the deposit is not filled. */
  refundTo: string;
  recipient: string;
  /** Receives the bridged token when the swap after the bridge fails; null makes the whole fill fail. */
  fallbackTo: string | null;
}

export interface DepositOptions extends DepositParties {
  plan: SwapPlan;
  outcome: Outcome;
  /** Time of the origin's newest block. */
  originTime: number;
}

/** The protocol allows fill deadlines of at most six hours. */
const fillSeconds = 4 * 60 * 60;
const transferByApproval = 0;

/** The user's transaction: a deposit, or a swap with a deposit. */
export function depositCall(options: DepositOptions): ContractCall {
  const { plan, originTime, outcome, refundTo, recipient } = options;
  const { origin, destination, bridge, originSwap, input, amountInAtomic } = plan;
  const message = messageOf(options);
  const isShort = outcome === 'neverFilled' || outcome === 'failingCalls';
  const fillDeadline = originTime + (isShort ? shortFillSeconds : fillSeconds);
  const [inputToken, outputToken] = [bridge.tokenIn, bridge.tokenOut].map(({ address }) => address!);
  const receiver = toBytes32(message === '0x' ? recipient : destination.across.multicallHandler);
  const times = [ZeroHash, originTime, fillDeadline, 0] as const;
  const value = input.address === null ? amountInAtomic : 0n;
  if (!originSwap) {
    const data = spokePool.encodeFunctionData('deposit', [
      toBytes32(refundTo),
      receiver,
      toBytes32(inputToken!),
      toBytes32(outputToken!),
      bridge.amountInAtomic,
      bridge.amountOutAtomic,
      destination.chainId,
      ...times,
      message,
    ]);
    return { to: origin.across.spokePool, data, value };
  }
  const { exchange, routerCalldata } = originCall(plan);
  const depositData = [
    inputToken,
    toBytes32(outputToken!),
    bridge.minAmountOutAtomic,
    refundTo,
    receiver,
    destination.chainId,
    ...times,
    message,
  ];
  const isProportional = true;
  const data = periphery.encodeFunctionData('swapAndBridge', [
    [
      [0n, ZeroAddress],
      depositData,
      origin.contractOf(input),
      exchange,
      transferByApproval,
      amountInAtomic,
      originSwap.minAmountOutAtomic,
      routerCalldata,
      isProportional,
      origin.across.spokePool,
      0n,
    ],
  ]);
  return { to: origin.across.periphery, data, value };
}

/** The swap contract's proxy calls the router and receives its output. */
function originCall({ origin, originSwap }: SwapPlan): { exchange: string; routerCalldata: string } {
  const itself = '0x0000000000000000000000000000000000000001';
  const { path, amountInAtomic, minAmountOutAtomic } = originSwap!;
  const routerCalldata = routerCall({ path, recipient: itself, amountInAtomic, minAmountOutAtomic });
  return { exchange: origin.uniswap.router, routerCalldata };
}

interface HandlerCall {
  target: string;
  callData: string;
  value: bigint;
}

function messageOf({ plan, recipient, fallbackTo, outcome }: DepositOptions): string {
  const { destination, destinationSwap, bridge, ending } = plan;
  if (ending === null) return '0x';
  const handler = destination.across.multicallHandler;
  const bridged = bridge.tokenOut.address!;
  const call = (target: string, callData: string): HandlerCall => ({ target, callData, value: 0n });
  const drain = (token: string, to: string) =>
    call(handler, multicallHandler.encodeFunctionData('drainLeftoverTokens', [token, to]));
  const withBalance = (target: string, callData: string, offset: number) => {
    const replaced = [target, callData, 0n, [[bridged, offset]]];
    return call(handler, multicallHandler.encodeFunctionData('makeCallWithBalance', replaced));
  };
  const calls: HandlerCall[] = [];
  if (ending === 'wrap') calls.push(drain(bridged, recipient));
  if (ending === 'unwrap') {
    const selectorBytes = 4;
    calls.push(withBalance(bridged, erc20.encodeFunctionData('withdraw', [0n]), selectorBytes));
    calls.push(drain(ZeroAddress, recipient));
  }
  if (destinationSwap) {
    const { router } = destination.uniswap;
    // More than the supply of every token, so that the swap fails.
    const least = outcome === 'failingCalls' ? MaxUint256 : destinationSwap.minAmountOutAtomic;
    // The handler replaces this amount by the received amount.
    const swap = { path: destinationSwap.path, recipient, amountInAtomic: 0n, minAmountOutAtomic: least };
    calls.push(call(bridged, erc20.encodeFunctionData('approve', [router, MaxUint256])));
    calls.push(withBalance(router, routerCall(swap), amountInOffset));
    calls.push(drain(bridged, fallbackTo ?? recipient));
  }
  const instructions = { calls, fallbackRecipient: fallbackTo ?? ZeroAddress };
  return AbiCoder.defaultAbiCoder().encode([instructionsType], [instructions]);
}

export interface Delivery {
  /** Null for the native coin. */
  token: string | null;
  recipient: string;
}

/** Final recipient of a message that `messageOf` encoded; undefined for other messages. */
export function readMessage(message: string): Delivery | undefined {
  try {
    const [{ calls }] = AbiCoder.defaultAbiCoder().decode([instructionsType], message) as unknown as [
      { calls: { callData: string }[] },
    ];
    for (const { callData } of calls) {
      const call = multicallHandler.parseTransaction({ data: callData });
      if (call?.name === 'makeCallWithBalance') {
        const swap = readRouterCall(String(call.args[1]));
        if (swap) return { token: swap.tokenOut, recipient: swap.recipient };
      }
      if (call?.name === 'drainLeftoverTokens') {
        const [token, recipient] = call.args as unknown as [string, string];
        return { token: token === ZeroAddress ? null : token, recipient };
      }
    }
    return undefined;
  } catch {
    return undefined;
  }
}
