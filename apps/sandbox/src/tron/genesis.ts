import { tollbridgePayAbi, tollbridgePayCreationCode } from '@tollbridge/onchain';
import {
  encodeRawData,
  evmToTronAddress,
  sandboxTronUsdtAbi,
  sandboxTronUsdtCreationCode,
  tronContractAddress,
  tronToEvmAddress,
  tronTxId,
  type TronContract,
} from '@tollbridge/onchain/tron';
import { computeAddress, Interface, sha256, toUtf8Bytes } from 'ethers';
import { evmAddress } from './evm-address';
import type { TronChain } from './tron-chain';

export interface GenesisAccount {
  role: string;
  /** Base58. */
  address: string;
  /** 64 digits, in the format that wallets of Tron import. */
  privateKey: string;
  /** Sun. */
  coins: bigint;
  /** In the smallest unit of USDT. */
  usdt: bigint;
}

const trx = 1_000_000n;
const accountOf = (role: string, coins: bigint, usdt = 0n): GenesisAccount => {
  const key = sha256(toUtf8Bytes(`tollbridge sandbox: Tron ${role}`));
  return { role, address: evmToTronAddress(computeAddress(key)), privateKey: key.slice(2), coins, usdt };
};

// The keys are public, and have no value outside the sandbox.
export const genesisAccounts: readonly GenesisAccount[] = [
  accountOf('payer', 1_000_000n * trx, 1_000_000n * trx),
  accountOf('merchant', 1_000n * trx),
  accountOf('fee_receiver', 1_000n * trx),
  accountOf('second_payer', 1_000_000n * trx, 1_000_000n * trx),
];
const issuer = accountOf('issuer', 1_000_000n * trx);
/** The account of the simulated route provider. */
export const solverAccount = accountOf('solver', 100_000_000n * trx, 100_000_000n * trx);

interface GenesisTransaction {
  rawData: Uint8Array;
  abi?: unknown;
}

/** The contracts of the genesis in base58, with the transactions that create them. */
export interface Genesis {
  payContract: string;
  usdt: string;
  transactions: readonly GenesisTransaction[];
}

/** Encodes a transaction without a reference block, so that ids and addresses are the same on every chain. */
const encoded = (contract: TronContract): Uint8Array =>
  encodeRawData({
    contract,
    refBlockBytes: '0000',
    refBlockHash: '00'.repeat(8),
    expirationMs: 1_700_000_060_000,
    timestampMs: 1_700_000_000_000,
    feeLimit: 15_000_000_000n,
  });

function creation(name: string, code: string): { rawData: Uint8Array; address: string } {
  const rawData = encoded({
    type: 'CreateSmartContract',
    owner: issuer.address,
    name,
    code,
    callValue: 0n,
    callerPercent: 100n,
    ownerEnergyLimit: 1n,
  });
  return { rawData, address: tronContractAddress(tronTxId(rawData), issuer.address) };
}

export function tronGenesis(): Genesis {
  const pay = creation('TollbridgePay', tollbridgePayCreationCode);
  const usdt = creation('TetherToken', sandboxTronUsdtCreationCode);
  const token = new Interface(sandboxTronUsdtAbi);
  const mints = [...genesisAccounts, solverAccount]
    .filter((it) => it.usdt > 0n)
    .map((it) => ({
      rawData: encoded({
        type: 'TriggerSmartContract',
        owner: issuer.address,
        contract: usdt.address,
        callValue: 0n,
        data: token.encodeFunctionData('mint', [tronToEvmAddress(it.address), it.usdt]),
      }),
    }));
  return {
    payContract: pay.address,
    usdt: usdt.address,
    transactions: [
      { rawData: pay.rawData, abi: tollbridgePayAbi },
      { rawData: usdt.rawData, abi: sandboxTronUsdtAbi },
      ...mints,
    ],
  };
}

/** Creates the missing parts of the genesis. */
export async function ensureGenesis(chain: TronChain): Promise<void> {
  for (const { address, coins } of [...genesisAccounts, issuer, solverAccount]) {
    const evm = evmAddress(address);
    if (!(await chain.tvm.exists(evm)))
      await chain.node.call('anvil_setBalance', evm, `0x${coins.toString(16)}`);
  }
  for (const { rawData, abi } of tronGenesis().transactions) await chain.ensure(rawData, abi);
}
