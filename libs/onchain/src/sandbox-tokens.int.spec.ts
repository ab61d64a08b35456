import { startAnvil, type Anvil } from '@tollbridge/testing';
import { Contract, hexlify, Signature, ZeroHash } from 'ethers';
import { deployTestToken, deployUsdc, deployWrappedEther, wrappedEtherAt } from './sandbox-tokens';
import { merchantAddress } from './testing/payment-order.builder';
import { mined } from './mined';

const tokenAbi = [
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function version() view returns (string)',
  'function owner() view returns (address)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function mint(address to, uint256 amount)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
];
const localChainId = 8453;
const tether = { name: 'Tether USD', symbol: 'USDT', decimals: 6 };
let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil({ chainId: localChainId });
});
afterAll(() => anvil.stop());

function read(address: string, method: string, ...args: unknown[]): Promise<unknown> {
  return new Contract(address, tokenAbi, anvil.provider).getFunction(method).staticCall(...args);
}

describe('deployUsdc', () => {
  it('reports the metadata of USDC', async () => {
    const { address } = await deployUsdc(anvil.wallet(0));

    expect(await read(address, 'name')).toBe('USD Coin');
    expect(await read(address, 'symbol')).toBe('USDC');
    expect(await read(address, 'decimals')).toBe(6n);
    expect(await read(address, 'version')).toBe('2');
    expect(await read(address, 'totalSupply')).toBe(0n);
  });

  it('accepts another name, symbol and owner', async () => {
    const owner = anvil.wallet(5).address;

    const { address } = await deployUsdc(anvil.wallet(0), { name: 'USDC', symbol: 'USDC.e', owner });

    expect(await read(address, 'name')).toBe('USDC');
    expect(await read(address, 'symbol')).toBe('USDC.e');
    expect(await read(address, 'owner')).toBe(owner);
  });

  it('mints more than once', async () => {
    const usdc = await deployUsdc(anvil.wallet(0));

    await usdc.mint(merchantAddress, 5n);
    const hash = await usdc.mint(merchantAddress, 7n);

    expect(await read(usdc.address, 'balanceOf', merchantAddress)).toBe(12n);
    expect((await anvil.provider.getTransactionReceipt(hash))?.status).toBe(1);
  });

  it('accepts a transfer by a signature of its holder (EIP-3009), which x402 requires', async () => {
    const usdc = await deployUsdc(anvil.wallet(0));
    const holder = anvil.wallet(3);
    await usdc.mint(holder.address, 100n);
    const domain = { name: 'USD Coin', version: '2', chainId: localChainId, verifyingContract: usdc.address };
    const transfer = {
      from: holder.address,
      to: merchantAddress,
      value: 40n,
      validAfter: 0n,
      validBefore: 4_102_444_800n,
      nonce: ZeroHash,
    };
    const types = {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    };
    const signature = Signature.from(await holder.signTypedData(domain, types, transfer)).serialized;

    const relayed = new Contract(usdc.address, tokenAbi, anvil.wallet(4)).getFunction(
      'transferWithAuthorization',
    );
    await mined(await relayed.send(...Object.values(transfer), hexlify(signature)));

    expect(await read(usdc.address, 'balanceOf', merchantAddress)).toBe(40n);
  });
});

describe('deployTestToken', () => {
  it('sets the given name, symbol and decimals, and mints', async () => {
    const dai = await deployTestToken(anvil.wallet(0), { name: 'Dai', symbol: 'DAI', decimals: 18 });
    await dai.mint(merchantAddress, 10n ** 18n);

    expect(await read(dai.address, 'name')).toBe('Dai');
    expect(await read(dai.address, 'symbol')).toBe('DAI');
    expect(await read(dai.address, 'decimals')).toBe(18n);
    expect(await read(dai.address, 'balanceOf', merchantAddress)).toBe(10n ** 18n);
  });

  it('rejects minting by any account except its deployer', async () => {
    const { address } = await deployTestToken(anvil.wallet(0), tether);
    const stranger = new Contract(address, tokenAbi, anvil.wallet(6));

    await expect(stranger.getFunction('mint').staticCall(merchantAddress, 1n)).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
    });
  });
});

it('deploys the tokens of two new nodes to the same addresses', async () => {
  const addressesOn = async (node: Anvil): Promise<string[]> => {
    const usdc = await deployUsdc(node.wallet(9));
    const usdt = await deployTestToken(node.wallet(9), tether);
    return [usdc.address, usdt.address];
  };
  const other = await startAnvil({ chainId: 10 });

  try {
    expect(await addressesOn(anvil)).toEqual(await addressesOn(other));
  } finally {
    await other.stop();
  }
});

describe('deployWrappedEther', () => {
  it("transfers the deployer's wrapped coins, even if the contract existed before", async () => {
    const { address } = await deployWrappedEther(anvil.wallet(0));

    await wrappedEtherAt(anvil.wallet(0), address).mint(merchantAddress, 12n);

    expect(await read(address, 'symbol')).toBe('WETH');
    expect(await read(address, 'balanceOf', merchantAddress)).toBe(12n);
    expect(await anvil.provider.getBalance(address)).toBe(12n);
  });
});
