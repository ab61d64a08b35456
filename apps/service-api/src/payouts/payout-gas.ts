import type { Chain, Token } from '@tollbridge/chains';
import { RpcError, simulateCalls, type Call, type EvmRpc } from '@tollbridge/evm';
import { Interface } from 'ethers';
import type { PayoutLine } from './payout';

/** Result of simulating the transfers of a payout on the latest block. */
export interface TriedPayout {
  gasUnits: bigint;
  /** Positions of the transfers that fail. */
  failed: number[];
  /** The payer's balance of the token; null without a simulation, because the deployment has no node of the chain. */
  heldAtomic: bigint | null;
}

const erc20 = new Interface([
  'function balanceOf(address owner) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);

// Most chains limit a block to 30 million gas, and most nodes a simulation to 50 million.
const transfersAtOnce = 100;
const questionsAtOnce = 4;
// Several times the gas of a transfer. It limits the cost of simulating a malicious token.
const transferGasLimit = 300_000n;
/** Assumed gas of a transfer that cannot be simulated: USDC to a new holder, the most expensive usual case. */
const usualGas = { token: 65_000n, coin: 21_000n };

/** Estimates the usual cost on a chain without a node: gas on EVM chains, otherwise the fee in the native coin. */
export function assumePayout(chain: Chain, token: Token, lines: readonly PayoutLine[]): TriedPayout {
  const ofOne = chain.coinFeeAtomic === null ? usualGasOf(token) : BigInt(chain.coinFeeAtomic);
  return { gasUnits: ofOne * BigInt(lines.length), failed: [], heldAtomic: null };
}

const usualGasOf = ({ address }: Token): bigint => (address === null ? usualGas.coin : usualGas.token);

/** Simulates each transfer on the latest block. @throws RpcError when the chain does not answer */
export async function tryPayout(
  rpc: EvmRpc,
  payer: string,
  token: Token,
  lines: readonly PayoutLine[],
): Promise<TriedPayout> {
  const calls = lines.map((line) => transferOf(token, line));
  const groups = Array.from({ length: Math.ceil(calls.length / transfersAtOnce) }, (_, at) =>
    calls.slice(at * transfersAtOnce, (at + 1) * transfersAtOnce),
  );
  const held = readBalance(rpc, payer, token);
  const gas: (bigint | undefined)[] = [];
  // Handles a rejection while the groups are awaited.
  held.catch(() => undefined);
  while (groups.length > 0) {
    const tried = await Promise.all(
      groups.splice(0, questionsAtOnce).map((group) => tryGroup(rpc, payer, group)),
    );
    gas.push(...tried.flat());
  }
  return {
    gasUnits: gas.reduce<bigint>((sum, units) => sum + (units ?? usualGasOf(token)), 0n),
    failed: gas.flatMap((units, place) => (units === undefined ? [place] : [])),
    heldAtomic: await held,
  };
}

function transferOf({ address }: Token, line: PayoutLine): Call {
  if (address === null) return { to: line.address, data: '0x', valueAtomic: line.amountAtomic };
  const data = erc20.encodeFunctionData('transfer', [line.address, line.amountAtomic]);
  return { to: address, data, valueAtomic: 0n };
}

/** Returns the gas of each call; undefined for a call that fails. */
async function tryGroup(rpc: EvmRpc, from: string, calls: readonly Call[]): Promise<(bigint | undefined)[]> {
  const simulated = await simulateCalls(rpc, from, calls, transferGasLimit).catch((error: unknown) => {
    // Some nodes reject the whole batch when one call cannot be paid. Then each call is simulated alone.
    if (error instanceof RpcError && error.kind === 'rejected') return undefined;
    throw error;
  });
  if (!simulated) return estimateEach(rpc, from, calls);
  return simulated.map(({ succeeded, returnData, gasUnits }) =>
    succeeded && !isRejection(returnData) ? gasUnits : undefined,
  );
}

/** Some tokens return false instead of reverting; others return nothing. */
const isRejection = (returnData: string): boolean => /^0x0+$/.test(returnData);

async function estimateEach(
  rpc: EvmRpc,
  from: string,
  calls: readonly Call[],
): Promise<(bigint | undefined)[]> {
  const requests = calls.map(({ to, data, valueAtomic }) => ({
    method: 'eth_estimateGas',
    params: [{ from, to, data, value: `0x${valueAtomic.toString(16)}` }],
    mayFail: true,
  }));
  return (await rpc.batch(requests)).map((result) => {
    if (result instanceof RpcError) return undefined;
    return quantity(result);
  });
}

async function readBalance(rpc: EvmRpc, owner: string, { address }: Token): Promise<bigint> {
  if (address === null) return quantity(await rpc.call('eth_getBalance', [owner, 'latest']));
  const data = erc20.encodeFunctionData('balanceOf', [owner]);
  const answer = await rpc.ethCall({ to: address, data });
  if (!/^0x[0-9a-f]{64}$/i.test(answer)) throw unreadable('a balance is not a number');
  return BigInt(answer);
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw unreadable('a figure is not a quantity');
  return BigInt(value);
}

const unreadable = (text: string): RpcError =>
  new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text });
