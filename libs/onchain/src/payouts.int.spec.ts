import { startAnvil, type Anvil } from '@tollbridge/testing';
import { Contract, TypedDataEncoder } from 'ethers';
import { runDeployCommand } from './deploy-command';
import { tollbridgePayoutsAbi } from './generated/tollbridge-payouts';
import { deployTollbridgePayouts, tollbridgePayoutsAddress } from './payouts';
import { deployPermit2, permit2Address } from './permit2';

const feeRecipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 });
});
afterAll(() => anvil?.stop());

it('requires Permit2 on the chain', async () => {
  await expect(deployTollbridgePayouts(anvil.wallet(0), feeRecipient)).rejects.toThrow('no Permit2');
});

it('deploys Permit2 to its address, with the domain of this chain', async () => {
  await deployPermit2(anvil.wallet(0));
  await deployPermit2(anvil.wallet(1));
  const abi = ['function DOMAIN_SEPARATOR() view returns (bytes32)'];
  const permit2 = new Contract(permit2Address, abi, anvil.provider);
  const domain = { name: 'Permit2', chainId: 8453, verifyingContract: permit2Address };
  expect(await permit2.getFunction('DOMAIN_SEPARATOR').staticCall()).toBe(
    TypedDataEncoder.hashDomain(domain),
  );
});

it('deploys the contract once to an address that is derived from the fee recipient', async () => {
  const address = tollbridgePayoutsAddress(feeRecipient);
  expect(await deployTollbridgePayouts(anvil.wallet(0), feeRecipient)).toEqual({ address, deployed: true });
  expect(await deployTollbridgePayouts(anvil.wallet(1), feeRecipient)).toEqual({ address, deployed: false });
  const contract = new Contract(address, tollbridgePayoutsAbi, anvil.provider);
  expect(await contract.getFunction('feeRecipient').staticCall()).toBe(feeRecipient);
  expect(tollbridgePayoutsAddress(permit2Address)).not.toBe(address);
});

it('deploys the contract by the command too', async () => {
  const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const env = { DEPLOYER_PRIVATE_KEY: anvil.wallet(0).privateKey };
  const output = await runDeployCommand([anvil.url, '--payout-fees-to', other], env);
  expect(output).toBe(`TollbridgePayouts deployed at ${tollbridgePayoutsAddress(other)} on chain 8453`);
  await expect(runDeployCommand([anvil.url, '--payout-fees-to', 'me'], env)).rejects.toThrow('Usage');
});
