import { unreadable } from '../../chains/chain-failure';
import { erc20 } from '../../chains/erc20';
import type { GroupRequest } from './group-request';

/** The state of the chain that a group is built on. */
export interface Ground {
  nonce: number;
  coinAtomic: bigint;
  balances: ReadonlyMap<string, bigint>;
  allowances: ReadonlyMap<string, bigint>;
}

/** Reads all state in one batch from one node, so that all values are of the same block. */
export async function readGround({ rpc, user, items }: GroupRequest): Promise<Ground> {
  const tokens = [...new Set(items.flatMap(({ from }) => from.address ?? []))];
  const pairs = [
    ...new Set(
      items.flatMap(({ from, swap }) =>
        from.address !== null && swap.spender !== null ? [`${from.address}:${swap.spender}`] : [],
      ),
    ),
  ];
  // A token without a reply fails only its own swaps.
  const call = (to: string, data: string) => {
    return { method: 'eth_call', params: [{ to, data }, 'latest'], mayFail: true };
  };
  const requests = [
    { method: 'eth_getTransactionCount', params: [user, 'pending'] },
    { method: 'eth_getBalance', params: [user, 'latest'] },
    ...tokens.map((token) => call(token, erc20.encodeFunctionData('balanceOf', [user]))),
    ...pairs.map((pair) => {
      const [token, spender] = pair.split(':') as [string, string];
      return call(token, erc20.encodeFunctionData('allowance', [user, spender]));
    }),
  ];
  const [nonce, coin, ...rest] = await rpc.batch(requests);
  const numbers = (from: number, names: readonly string[]) =>
    new Map(names.map((name, at) => [name, saidByToken(rest[from + at])]));
  return {
    nonce: Number(quantityOf(nonce)),
    coinAtomic: quantityOf(coin),
    balances: numbers(0, tokens),
    allowances: numbers(tokens.length, pairs),
  };
}

function quantityOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    throw unreadable('the nonce or balance is not a hex quantity');
  return BigInt(value);
}

/** An invalid reply of a token counts as a balance or allowance of 0. */
function saidByToken(value: unknown): bigint {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? BigInt(value) : 0n;
}
