import { type Token } from '@tollbridge/chains';
import { RpcError, simulateCalls, type Call, type EvmRpc } from '@tollbridge/evm';
import { Interface } from 'ethers';
import type { PayoutLine } from './payout';

/** What the transfers of a payout do on the chain as it is now. */
export interface TriedPayout {
  gasUnits: bigint;
  /** Places of the transfers that fail. */
  failed: number[];
  /** What the payer holds of the token. */
  heldAtomic: bigint;
}

const erc20 = new Interface([
  'function balanceOf(address owner) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);

// A block takes 30 million gas on most chains, and a node runs no more for one question than some 50 million.
const transfersAtOnce = 100;
const questionsAtOnce = 4;
// Several times what a transfer takes; a token cannot make a node work more than that.
const transferGasLimit = 300_000n;
/** What a transfer takes that cannot be tried: measured of USDC to who holds none yet, which is the dearest usual case. */
const usualGas = { token: 65_000n, coin: 21_000n };

/** Tries each transfer on top of the newest block. @throws RpcError when the chain does not answer */
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
  // It may fail while the groups are waited for.
  held.catch(() => undefined);
  while (groups.length > 0) {
    const tried = await Promise.all(
      groups.splice(0, questionsAtOnce).map((group) => tryGroup(rpc, payer, group)),
    );
    gas.push(...tried.flat());
  }
  const usual = token.address === null ? usualGas.coin : usualGas.token;
  return {
    gasUnits: gas.reduce<bigint>((sum, units) => sum + (units ?? usual), 0n),
    failed: gas.flatMap((units, place) => (units === undefined ? [place] : [])),
    heldAtomic: await held,
  };
}

function transferOf({ address }: Token, line: PayoutLine): Call {
  if (address === null) return { to: line.address, data: '0x', valueAtomic: line.amountAtomic };
  const data = erc20.encodeFunctionData('transfer', [line.address, line.amountAtomic]);
  return { to: address, data, valueAtomic: 0n };
}

/** Gas of each call, undefined for one that fails. */
async function tryGroup(rpc: EvmRpc, from: string, calls: readonly Call[]): Promise<(bigint | undefined)[]> {
  const simulated = await simulateCalls(rpc, from, calls, transferGasLimit).catch((error: unknown) => {
    // Some nodes refuse the whole, when one call cannot be paid for; then each is asked by itself.
    if (error instanceof RpcError && error.kind === 'rejected') return undefined;
    throw error;
  });
  if (!simulated) return estimateEach(rpc, from, calls);
  return simulated.map(({ succeeded, returnData, gasUnits }) =>
    succeeded && !isRefusal(returnData) ? gasUnits : undefined,
  );
}

/** Some tokens answer false instead of failing; others answer nothing at all. */
const isRefusal = (returnData: string): boolean => /^0x0+$/.test(returnData);

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
  if (!/^0x[0-9a-f]{64}$/i.test(answer)) throw unreadable('a balance is no number');
  return BigInt(answer);
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw unreadable('a figure is no quantity');
  return BigInt(value);
}

const unreadable = (text: string): RpcError =>
  new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text });
