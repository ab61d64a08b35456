import { startAnvil, type Anvil } from '@tollbridge/testing';
import { Contract, Interface } from 'ethers';
import { deployMulticall3, multicall3Address } from './multicall3';
import { deployUsdc } from './sandbox-tokens';

const abi = [
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] returnData)',
  'function getEthBalance(address addr) view returns (uint256 balance)',
];
const erc20 = new Interface(['function balanceOf(address account) view returns (uint256)']);
let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 });
});
afterAll(() => anvil?.stop());

it('reads coin and token balances in one call, and reports the failure of one read separately', async () => {
  const [deployer, holder] = [anvil.wallet(0), anvil.wallet(1)];
  const usdc = await deployUsdc(deployer);
  await usdc.mint(holder.address, 77n);

  await deployMulticall3(deployer);

  const multicall = new Contract(multicall3Address, abi, anvil.provider);
  const callData = erc20.encodeFunctionData('balanceOf', [holder.address]);
  const results = await multicall.getFunction('aggregate3').staticCall([
    [usdc.address, true, callData],
    [usdc.address, true, '0x12345678'],
    [multicall3Address, true, multicall.interface.encodeFunctionData('getEthBalance', [holder.address])],
  ]);
  expect(results.map(([isRead]: [boolean]) => isRead)).toEqual([true, false, true]);
  expect(BigInt(results[0][1])).toBe(77n);
  expect(BigInt(results[2][1])).toBe(10_000n * 10n ** 18n);
});

it('does not change an existing contract', async () => {
  await deployMulticall3(anvil.wallet(0));
  const before = await anvil.provider.getCode(multicall3Address);

  await deployMulticall3(anvil.wallet(3));

  expect(await anvil.provider.getCode(multicall3Address)).toBe(before);
});
