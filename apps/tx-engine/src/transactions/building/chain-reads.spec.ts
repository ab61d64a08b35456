import type { EvmReceipt, EvmRpc } from '@tollbridge/evm';
import { id, toBeHex, zeroPadValue } from 'ethers';
import { hashOf, router, user } from '../../testing/sample-set';
import { received } from './chain-reads';

const weth = '0x4200000000000000000000000000000000000006';
const token = { chain: 'eip155:8453', symbol: 'WETH', address: weth, decimals: 18 };
const noRpc = {} as EvmRpc;

type Log = EvmReceipt['logs'][number];

const logOf = (address: string, event: string, indexed: string[], amount: bigint): Log =>
  ({
    address: address.toLowerCase(),
    topics: [id(event), ...indexed.map((it) => zeroPadValue(it, 32).toLowerCase())],
    data: toBeHex(amount, 32),
  }) as Log;
const transfer = (from: string, to: string, amount: bigint, of = weth) =>
  logOf(of, 'Transfer(address,address,uint256)', [from, to], amount);
const deposit = (to: string, amount: bigint, of = weth) =>
  logOf(of, 'Deposit(address,uint256)', [to], amount);
const zeroAddress = '0x0000000000000000000000000000000000000000';

/** WETH9 logs wrapping only as `Deposit`. The contract on Arbitrum also logs `Transfer`. */
it.each<[string, Log[], bigint]>([
  ['transfers', [transfer(router, user, 3n), transfer(router, user, 4n)], 7n],
  ['wrapping without a Transfer log', [deposit(user, 5n)], 5n],
  ['wrapping with both logs, once', [transfer(zeroAddress, user, 5n), deposit(user, 5n)], 5n],
  ['coins that another account wrapped and sent', [deposit(router, 5n), transfer(router, user, 5n)], 5n],
  ['nothing that another account wrapped', [deposit(router, 5n)], 0n],
  ['nothing of another token', [transfer(router, user, 3n, router), deposit(user, 5n, router)], 0n],
  ['nothing that was forwarded', [transfer(user, router, 3n)], 0n],
])('received counts %s', async (_name, logs, expected) => {
  const receipt = { txHash: hashOf('aa'), from: user.toLowerCase(), logs } as unknown as EvmReceipt;
  expect(await received(noRpc, receipt, token, user)).toBe(expected);
});
