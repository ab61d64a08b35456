import { AbiCoder, id, ZeroAddress, zeroPadValue } from 'ethers';
import { coin, dai, oneChain, router, usdc, usdt, user } from '../testing/sample-set';
import type { GroupItem } from './plan-group';
import type { SimulatedLog } from '@tollbridge/evm';
import { brokenPromise } from './simulated-outcome';

const thief = '0x00000000000000000000000000000000BaD00Bad';
const nft = '0x00000000000000000000000000000000000A11CE';
const coinLogs = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const weth = { ...coin, symbol: 'WETH', address: '0x4200000000000000000000000000000000000006' };

const item = (changes: Partial<GroupItem> = {}): GroupItem => ({
  ...{ from: usdt, to: usdc, amountInAtomic: 100n, recipient: user, skipApprovals: false },
  swap: {
    spender: router,
    transaction: { to: router, data: '0xabcd', valueAtomic: 0n, gasUnits: null },
    quote: {
      ...{ amountOutAtomic: 99n, minAmountOutAtomic: 98n, steps: oneChain, fees: [], gasUnits: 100n },
      ...{ estimatedSeconds: 1, priceImpactBps: null, expiresAt: null },
    },
    validUntil: null,
  },
  ...changes,
});
const number = (value: bigint): string => AbiCoder.defaultAbiCoder().encode(['uint256'], [value]);
const log = (address: string, event: string, indexed: string[], data = '0x'): SimulatedLog => {
  return { address, topics: [id(event), ...indexed.map((it) => zeroPadValue(it, 32))], data };
};
const moved = (token: string | null, from: string, to: string, amount: bigint): SimulatedLog =>
  log(token ?? coinLogs, 'Transfer(address,address,uint256)', [from, to], number(amount));
const allowed = (token: string, spender: string, amount: bigint): SimulatedLog =>
  log(token, 'Approval(address,address,uint256)', [user, spender], number(amount));

const taken = moved(usdt.address, user, router, 100n);
const brought = moved(usdc.address, router, user, 99n);
const refused = (logs: SimulatedLog[], changes?: Partial<GroupItem>) =>
  brokenPromise(item(changes), user, logs);

describe('a swap that does what it says', () => {
  const fromCoin = { from: coin, amountInAtomic: 5n };
  const toCoin = [taken, moved(null, router, user, 98n)];
  it.each<[string, SimulatedLog[], Partial<GroupItem>?]>([
    ['takes and brings', [taken, brought]],
    ['brings just what was promised', [taken, moved(usdc.address, router, user, 98n)]],
    ['brings it to another', [taken, moved(usdc.address, router, thief, 98n)], { recipient: thief }],
    [
      'gives back what it did not use',
      [moved(usdt.address, user, router, 101n), moved(usdt.address, router, user, 1n), brought],
    ],
    ['takes coins', [moved(null, user, router, 5n), brought], fromCoin],
    ['brings coins', toCoin, { to: coin }],
    ['tells what is left of its allowance', [taken, allowed(usdt.address!, router, 7n), brought]],
    ['takes an allowance back', [taken, allowed(usdc.address!, thief, 0n), brought]],
    ['brings it on another chain', [taken], { to: dai }],
    [
      'wraps coins, of which no transfer tells',
      [
        moved(null, user, weth.address, 99n),
        log(weth.address, 'Deposit(address,uint256)', [user], number(99n)),
      ],
      { from: coin, to: weth },
    ],
  ])('%s', (...[, logs, changes]) => {
    expect(refused(logs, changes)).toBeUndefined();
  });
});

describe('a swap is refused that', () => {
  it.each<[string, SimulatedLog[], RegExp, Partial<GroupItem>?]>([
    ['takes more', [moved(usdt.address, user, router, 101n), brought], /take 101 of .* 100 were offered/],
    ['takes more in two parts', [taken, moved(usdt.address, user, thief, 1n), brought], /take 101/],
    ['takes another token', [taken, brought, moved(weth.address, user, thief, 1n)], /take 1 of 0x42/],
    ['takes coins besides', [taken, brought, moved(null, user, thief, 1n)], /take 1 of 0xee/],
    [
      'takes another token to another chain',
      [taken, moved(dai.address, user, thief, 1n)],
      /take 1/,
      { to: dai },
    ],
    ['brings less', [taken, moved(usdc.address, router, user, 97n)], /deliver 97 of USDC.* 98/],
    ['brings nothing', [taken], /deliver 0/],
    ['brings it to somebody else', [taken, moved(usdc.address, router, thief, 99n)], /deliver 0/],
    ['brings it and takes it back', [taken, brought, moved(usdc.address, user, thief, 2n)], /deliver 97/],
    ['brings a token of the same name', [taken, moved(weth.address, router, user, 99n)], /deliver 0/],
    [
      'brings no coins',
      [taken, log(router, 'Withdrawal(address,uint256)', [user], number(99n))],
      /deliver 0/,
      { to: coin },
    ],
    [
      'wraps coins for somebody else',
      [log(weth.address, 'Deposit(address,uint256)', [thief], number(99n))],
      /deliver 0/,
      { from: coin, to: weth },
    ],
    ['lets others take another token', [taken, brought, allowed(usdc.address!, router, 1n)], /let others/],
    ['lets others take the same token', [taken, brought, allowed(usdt.address!, thief, 1n)], /let others/],
    [
      'gives one of a kind away',
      [taken, brought, log(nft, 'Transfer(address,address,uint256)', [user, thief, number(7n)])],
      /let others/,
    ],
    [
      'lets others take one of a kind',
      [taken, brought, log(nft, 'Approval(address,address,uint256)', [user, thief, number(7n)])],
      /let others/,
    ],
    [
      'lets others take all of a kind',
      [taken, brought, log(nft, 'ApprovalForAll(address,address,bool)', [user, thief], number(1n))],
      /let others/,
    ],
    [
      'gives away some of a kind',
      [
        taken,
        brought,
        log(nft, 'TransferSingle(address,address,address,uint256,uint256)', [thief, user, thief]),
      ],
      /let others/,
    ],
  ])('%s', (...[, logs, reason, changes]) => {
    expect(refused(logs, changes)).toMatch(reason);
  });

  it('concerns the signer only', () => {
    const others = [
      log(nft, 'Transfer(address,address,uint256)', [router, thief, number(7n)]),
      log(nft, 'ApprovalForAll(address,address,bool)', [user, thief], number(0n)),
      log(nft, 'Approval(address,address,uint256)', [user, ZeroAddress, number(7n)]),
      moved(weth.address, router, thief, 1_000n),
    ];
    expect(refused([taken, brought, ...others])).toBeUndefined();
  });
});
