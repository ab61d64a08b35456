import { AbiCoder, id, ZeroAddress, zeroPadValue } from 'ethers';
import { coin, dai, router, usdc, usdt, user } from '../../testing/sample-set';
import type { GroupItem } from './plan-group';
import type { SimulatedLog } from '@tollbridge/evm';
import { brokenPromise } from './simulated-outcome';
import { aGroupItem } from './testing/group-item.builder';

const thief = '0x00000000000000000000000000000000BaD00Bad';
const nft = '0x00000000000000000000000000000000000A11CE';
const coinLogs = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const weth = { ...coin, symbol: 'WETH', address: '0x4200000000000000000000000000000000000006' };

const number = (value: bigint): string => AbiCoder.defaultAbiCoder().encode(['uint256'], [value]);
const log = (address: string, event: string, indexed: string[], data = '0x'): SimulatedLog => {
  return { address, topics: [id(event), ...indexed.map((it) => zeroPadValue(it, 32))], data };
};
const transferLog = (token: string | null, from: string, to: string, amount: bigint): SimulatedLog =>
  log(token ?? coinLogs, 'Transfer(address,address,uint256)', [from, to], number(amount));
const allowed = (token: string, spender: string, amount: bigint): SimulatedLog =>
  log(token, 'Approval(address,address,uint256)', [user, spender], number(amount));

const taken = transferLog(usdt.address, user, router, 100n);
const brought = transferLog(usdc.address, router, user, 99n);
const rejection = (logs: SimulatedLog[], changes?: Partial<GroupItem>) =>
  brokenPromise(aGroupItem(changes), user, logs);

describe('an accepted simulation', () => {
  const fromCoin = { from: coin, amountInAtomic: 5n };
  const toCoin = [taken, transferLog(null, router, user, 98n)];
  it.each<[string, SimulatedLog[], Partial<GroupItem>?]>([
    ['takes the input and delivers the output', [taken, brought]],
    ['delivers exactly the minimum', [taken, transferLog(usdc.address, router, user, 98n)]],
    [
      'delivers to another recipient',
      [taken, transferLog(usdc.address, router, thief, 98n)],
      { recipient: thief },
    ],
    [
      'returns the unused input',
      [transferLog(usdt.address, user, router, 101n), transferLog(usdt.address, router, user, 1n), brought],
    ],
    ['takes coins', [transferLog(null, user, router, 5n), brought], fromCoin],
    ['delivers coins', toCoin, { to: coin }],
    ['logs its remaining allowance', [taken, allowed(usdt.address!, router, 7n), brought]],
    ['withdraws an allowance', [taken, allowed(usdc.address!, thief, 0n), brought]],
    ['delivers on another chain', [taken], { to: dai }],
    [
      'wraps coins without a Transfer log',
      [
        transferLog(null, user, weth.address, 99n),
        log(weth.address, 'Deposit(address,uint256)', [user], number(99n)),
      ],
      { from: coin, to: weth },
    ],
  ])('%s', (...[, logs, changes]) => {
    // Uses rest parameters, because with three declared parameters jest passes `done` to the rows without changes.
    expect(rejection(logs, changes)).toBeUndefined();
  });
});

describe('a rejected simulation', () => {
  it.each<[string, SimulatedLog[], RegExp, Partial<GroupItem>?]>([
    [
      'takes more than the input',
      [transferLog(usdt.address, user, router, 101n), brought],
      /take 101 of .* 100 were offered/,
    ],
    [
      'takes more than the input in two parts',
      [taken, transferLog(usdt.address, user, thief, 1n), brought],
      /take 101/,
    ],
    ['takes another token', [taken, brought, transferLog(weth.address, user, thief, 1n)], /take 1 of 0x42/],
    ['takes coins in addition', [taken, brought, transferLog(null, user, thief, 1n)], /take 1 of 0xee/],
    [
      'takes another token to another chain',
      [taken, transferLog(dai.address, user, thief, 1n)],
      /take 1/,
      { to: dai },
    ],
    [
      'delivers less than the minimum',
      [taken, transferLog(usdc.address, router, user, 97n)],
      /deliver 97 of USDC.* 98/,
    ],
    ['delivers nothing', [taken], /deliver 0/],
    ['delivers to another recipient', [taken, transferLog(usdc.address, router, thief, 99n)], /deliver 0/],
    [
      'delivers the output and takes a part again',
      [taken, brought, transferLog(usdc.address, user, thief, 2n)],
      /deliver 97/,
    ],
    [
      'delivers another token of the same name',
      [taken, transferLog(weth.address, router, user, 99n)],
      /deliver 0/,
    ],
    [
      'delivers no coins',
      [taken, log(router, 'Withdrawal(address,uint256)', [user], number(99n))],
      /deliver 0/,
      { to: coin },
    ],
    [
      'wraps coins for another recipient',
      [log(weth.address, 'Deposit(address,uint256)', [thief], number(99n))],
      /deliver 0/,
      { from: coin, to: weth },
    ],
    [
      'allows others to take another token',
      [taken, brought, allowed(usdc.address!, router, 1n)],
      /allow others/,
    ],
    [
      'allows others to take the same token',
      [taken, brought, allowed(usdt.address!, thief, 1n)],
      /allow others/,
    ],
    [
      'transfers an NFT',
      [taken, brought, log(nft, 'Transfer(address,address,uint256)', [user, thief, number(7n)])],
      /allow others/,
    ],
    [
      'allows others to take an NFT',
      [taken, brought, log(nft, 'Approval(address,address,uint256)', [user, thief, number(7n)])],
      /allow others/,
    ],
    [
      'allows others to take all NFTs',
      [taken, brought, log(nft, 'ApprovalForAll(address,address,bool)', [user, thief], number(1n))],
      /allow others/,
    ],
    [
      'gives away some of a kind',
      [
        taken,
        brought,
        log(nft, 'TransferSingle(address,address,address,uint256,uint256)', [thief, user, thief]),
      ],
      /allow others/,
    ],
  ])('%s', (...[, logs, reason, changes]) => {
    expect(rejection(logs, changes)).toMatch(reason);
  });

  it('checks the transfers of the signer only', () => {
    const others = [
      log(nft, 'Transfer(address,address,uint256)', [router, thief, number(7n)]),
      log(nft, 'ApprovalForAll(address,address,bool)', [user, thief], number(0n)),
      log(nft, 'Approval(address,address,uint256)', [user, ZeroAddress, number(7n)]),
      transferLog(weth.address, router, thief, 1_000n),
    ];
    expect(rejection([taken, brought, ...others])).toBeUndefined();
  });
});
