import { EvmRpc } from '@tollbridge/evm';
import {
  deploySandboxWallet,
  sandboxWalletCreation,
  walletHabits,
  type WalletHabit,
} from '@tollbridge/onchain';
import { closedUrl, startAnvil, type Anvil } from '@tollbridge/testing';
import { hashMessage, Signature, SigningKey, type Contract, type HDNodeWallet } from 'ethers';
import { createPublicClient, http, serializeErc6492Signature, type Hex } from 'viem';
import { ContractWallets, ProofUncheckable } from './contract-wallets';
import { checkEvmProof } from './evm-proof';

const chainId = 8453;
const message = 'a text\nof two lines';
let anvil: Anvil;
let owner: HDNodeWallet;
let stranger: HDNodeWallet;
let contracts: ContractWallets;
let signature: string;

// Longer than the time-out of the check itself, which is eight seconds.
const rpcOf = (url: string) => new EvmRpc({ chainId, urls: [url], timeoutMs: 30_000, maxLagBlocks: 10 });
const check = (wallet: string, signed: string, on = chainId) =>
  checkEvmProof({ wallet, chainId: on, message, signature: signed }, contracts);
const accepted = (isContract: boolean) => ({ ok: true, isContract });
const rejected = (reason: string) => ({ ok: false, reason });

beforeAll(async () => {
  anvil = await startAnvil({ chainId });
  [owner, stranger] = [anvil.wallet(1), anvil.wallet(2)];
  contracts = new ContractWallets(new Map([[chainId, rpcOf(anvil.url)]]));
  signature = await owner.signMessage(message);
});
afterAll(() => anvil?.stop());

/** Returns the state root, which changes with any state of the chain. */
async function stateOfChain(): Promise<unknown> {
  const block = (await anvil.send('eth_getBlockByNumber', ['latest', false])) as { hash: string };
  const [pool, dump] = await Promise.all([anvil.send('txpool_status'), anvil.send('anvil_dumpState')]);
  return { hash: block.hash, pool, dump };
}

const wrapped = (address: string, data: string, inner = signature) =>
  serializeErc6492Signature({ address: address as Hex, data: data as Hex, signature: inner as Hex });

describe('checkEvmProof of an ordinary wallet', () => {
  it('accepts its signature, also in compact form and with older recovery ids', async () => {
    const { compactSerialized, v } = Signature.from(signature);
    const older = signature.slice(0, -2) + (v - 27).toString(16).padStart(2, '0');
    for (const spelling of [signature, signature.toUpperCase().replace('0X', '0x'), compactSerialized, older])
      expect(await check(owner.address, spelling)).toEqual(accepted(false));
  });

  it('verifies the signature without a node', async () => {
    expect(await check(owner.address, signature, 1)).toEqual(accepted(false));
  });

  it('rejects the signature of another wallet, and a signature of another text', async () => {
    expect(await check(stranger.address, signature)).toEqual(rejected('wrong_signature'));
    const other = await owner.signMessage(`${message} `);
    expect(await check(owner.address, other)).toEqual(rejected('wrong_signature'));
    expect(await check(owner.address, other, 1)).toEqual(rejected('chain_without_node'));
  });

  it('rejects variants of the signature: the upper half of s, and other last bytes', async () => {
    const { r, s, v } = Signature.from(signature);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const upper = (order - BigInt(s)).toString(16).padStart(64, '0');
    const spellings = [
      r + upper + (v === 27 ? '1c' : '1b'),
      signature.slice(0, -2) + '02',
      signature.slice(0, -2) + (v + 8).toString(16),
      signature + '00',
      signature.slice(0, -2),
      `0x${'0'.repeat(130)}`,
      `0x${'f'.repeat(128)}1b`,
      '0x',
    ];
    // The compact form with an upper-half s has no space for the last bit, so it would decode as another signature.
    for (const spelling of spellings)
      expect([spelling, await check(owner.address, spelling)]).toEqual([
        spelling,
        rejected('wrong_signature'),
      ]);
  });

  it('accepts the signature of its key when its account has code', async () => {
    const wallet = anvil.wallet(5);
    await anvil.send('anvil_setCode', [wallet.address, '0x00']);
    expect(await check(wallet.address, await wallet.signMessage(message))).toEqual(accepted(false));
  });
});

describe('checkEvmProof of a contract wallet (ERC-1271)', () => {
  let wallet: Contract;
  let address: string;
  beforeAll(async () => {
    wallet = await deploySandboxWallet(anvil.wallet(0), owner.address);
    address = await wallet.getAddress();
  });

  it('accepts a signature that the wallet accepts, as an independent library does', async () => {
    expect(await check(address, signature)).toEqual(accepted(true));
    const viem = createPublicClient({ transport: http(anvil.url) });
    const asked = { address: address as Hex, message, signature: signature as Hex };
    expect(await viem.verifyMessage(asked)).toBe(true);
  });

  it('rejects a signature that the wallet rejects, and a signature for a chain without a node', async () => {
    expect(await check(address, await stranger.signMessage(message))).toEqual(rejected('wrong_signature'));
    expect(await check(address, '0x')).toEqual(rejected('wrong_signature'));
    expect(await check(address, signature, 1)).toEqual(rejected('chain_without_node'));
  });

  it('ignores the factory call of a wrapper when the wallet is deployed', async () => {
    const easy = await deploySandboxWallet(anvil.wallet(0), owner.address, 'acceptsOnceTouched');
    const target = await easy.getAddress();
    const touch = easy.interface.encodeFunctionData('touch');
    const before = await stateOfChain();
    expect(await check(target, wrapped(target, touch))).toEqual(rejected('wrong_signature'));
    expect(await stateOfChain()).toEqual(before);
    // For a deployed wallet only the inner signature is verified, once.
    expect(await check(address, wrapped(target, touch))).toEqual(accepted(true));
    expect(await check(address, wrapped(target, touch, wrapped(target, touch)))).toEqual(
      rejected('wrong_signature'),
    );
  });

  const hostile = walletHabits.filter((habit): habit is WalletHabit => habit !== 'plain');
  it.each(hostile)(
    'rejects a wallet that %s within the time-out, and leaves the chain unchanged',
    async (habit) => {
      const target = await (await deploySandboxWallet(anvil.wallet(0), owner.address, habit)).getAddress();
      const before = await stateOfChain();
      const startMs = performance.now();
      expect(await check(target, signature)).toEqual(rejected('wrong_signature'));
      expect(performance.now() - startMs).toBeLessThan(8_000);
      expect(await stateOfChain()).toEqual(before);
    },
  );

  it.each([
    ['destroys itself', '0x33ff'],
    ['has invalid code', '0xfe'],
    ['returns no data', '0x00'],
  ])('rejects an account that %s', async (_title, code) => {
    const target = '0x00000000000000000000000000000000deadc0de'.replace('0000000000', '1111111111');
    await anvil.send('anvil_setCode', [target, code]);
    const before = await stateOfChain();
    expect(await check(target, signature)).toEqual(rejected('wrong_signature'));
    expect(await stateOfChain()).toEqual(before);
    expect(await anvil.provider.getCode(target)).toBe(code);
  });

  it('uses a sandbox wallet that accepts every signature in a call without a sender', async () => {
    // This proves that the sender is the reason for the rejection of this wallet above.
    const trial = await deploySandboxWallet(anvil.wallet(0), owner.address, 'acceptsTrials');
    const data = trial.interface.encodeFunctionData('isValidSignature', [hashMessage(message), '0x']);
    const answer = await anvil.send('eth_call', [{ to: await trial.getAddress(), data }, 'latest']);
    expect(answer).toMatch(/^0x1626ba7e/);
  });
});

describe('checkEvmProof of an undeployed wallet (ERC-6492)', () => {
  it('accepts a signature that the deployed wallet would accept, without deploying the wallet', async () => {
    const { address, factory, factoryCall } = await sandboxWalletCreation(owner.address);
    const proof = wrapped(factory, factoryCall);
    const before = await stateOfChain();
    expect(await check(address, proof)).toEqual(accepted(true));
    const viem = createPublicClient({ transport: http(anvil.url) });
    expect(await viem.verifyMessage({ address: address as Hex, message, signature: proof })).toBe(true);
    expect(await stateOfChain()).toEqual(before);
    expect(await anvil.provider.getCode(address)).toBe('0x');
  });

  it('rejects a missing factory, the signature of another wallet, and the wallet of another owner', async () => {
    const { address, factory, factoryCall } = await sandboxWalletCreation(owner.address);
    const others = await sandboxWalletCreation(stranger.address);
    for (const [wallet, proof] of [
      [address, signature],
      [address, wrapped(factory, factoryCall, await stranger.signMessage(message))],
      [address, wrapped(factory, others.factoryCall)],
      [others.address, wrapped(factory, others.factoryCall)],
      [address, wrapped(factory, '0x')],
      [address, wrapped(stranger.address, factoryCall)],
      // The factory cannot deploy a contract at the address of an ordinary wallet.
      [stranger.address, wrapped(factory, factoryCall)],
    ] as const)
      expect(await check(wallet, proof)).toEqual(rejected('wrong_signature'));
  });

  it('rejects a malformed wrapper', async () => {
    const { address, factory, factoryCall } = await sandboxWalletCreation(owner.address);
    const proof = wrapped(factory, factoryCall);
    const mark = proof.slice(-64);
    for (const broken of [
      `0x${mark}`,
      `0x00${mark}`,
      `${proof.slice(0, 300)}${mark}`,
      `0x${'f'.repeat(640)}${mark}`,
    ])
      expect(await check(address, broken)).toEqual(rejected('wrong_signature'));
  });

  it.each(['writes', 'deploys', 'loops', 'answersMuch', 'echoes'] as const)(
    'rejects a wallet that %s, and leaves the chain unchanged',
    async (habit) => {
      const { address, factory, factoryCall } = await sandboxWalletCreation(owner.address, habit);
      const before = await stateOfChain();
      expect(await check(address, wrapped(factory, factoryCall))).toEqual(rejected('wrong_signature'));
      expect(await stateOfChain()).toEqual(before);
    },
  );

  it('leaves the chain unchanged when the factory call has another effect', async () => {
    const target = await deploySandboxWallet(anvil.wallet(0), owner.address);
    const { address } = await sandboxWalletCreation(stranger.address);
    const before = await stateOfChain();
    const touch = wrapped(await target.getAddress(), target.interface.encodeFunctionData('touch'));
    expect(await check(address, touch)).toEqual(rejected('wrong_signature'));
    expect(await stateOfChain()).toEqual(before);
    expect(await target.getFunction('touched').staticCall()).toBe(0n);
  });
});

describe('checkEvmProof on a chain that does not answer', () => {
  const address = '0x1111111111111111111111111111111111111111';
  const askedOf = (call: () => Promise<unknown>) =>
    checkEvmProof(
      { wallet: address, chainId, message, signature },
      new ContractWallets(new Map([[chainId, { call }]])),
    );

  it('throws instead of rejecting the proof', async () => {
    const down = new ContractWallets(new Map([[chainId, rpcOf(await closedUrl())]]));
    const asked = checkEvmProof({ wallet: address, chainId, message, signature }, down);
    await expect(asked).rejects.toBeInstanceOf(ProofUncheckable);
  });

  it.each(['0x', '0x02', `0x${'0'.repeat(63)}3`, `0x1${'0'.repeat(62)}2`, null, { a: 1 }, 2])(
    'throws when the chain answers %j',
    async (answer) => {
      await expect(askedOf(async () => answer)).rejects.toBeInstanceOf(ProofUncheckable);
    },
  );

  it('throws after the time-out', async () => {
    jest.useFakeTimers();
    try {
      const asked = expect(askedOf(() => new Promise(() => undefined))).rejects.toBeInstanceOf(
        ProofUncheckable,
      );
      await jest.advanceTimersByTimeAsync(8_000);
      await asked;
    } finally {
      jest.useRealTimers();
    }
  });

  it('limits the number of concurrent calls', async () => {
    let answer!: (word: string) => void;
    const word = new Promise<string>((resolve) => (answer = resolve));
    let asked = 0;
    const call = () => {
      asked++;
      return word;
    };
    const busy = new ContractWallets(new Map([[chainId, { call }]]));
    const key = new SigningKey(`0x${'11'.repeat(32)}`);
    const proof = { wallet: address, chainId, digest: hashMessage(message), signature: key.publicKey };
    const many = Array.from({ length: 20 }, () => busy.accepts(proof).catch((error: Error) => error));
    answer(`0x${'0'.repeat(63)}2`);
    const outcomes = await Promise.all(many);
    expect([asked, outcomes.filter((outcome) => outcome === true).length]).toEqual([16, 16]);
    expect(outcomes.filter((outcome) => outcome instanceof ProofUncheckable)).toHaveLength(4);
    expect(await busy.accepts(proof)).toBe(true);
  });
});
