import { blake2b } from '@noble/hashes/blake2b';
import { base58, bech32 } from '@scure/base';
import { findChain } from '@tollbridge/chains';
import {
  canonicalMoveType,
  suiCreatedObjectId,
  SuiSigner,
  type SuiPayContract,
} from '@tollbridge/onchain/sui';
import { BcsWriter } from '@tollbridge/onchain/sui';
import { createHash } from 'node:crypto';
import { coinContents, coinObjectType, sealed, suiType, type Owner, type SuiObject } from './objects';

const seedOf = (purpose: string): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(`tollbridge sandbox: Sui ${purpose}`).digest());
const genesisDigest = blake2b(Buffer.from('tollbridge sandbox: Sui genesis'), { dkLen: 32 });
const registryVersion = 1n;

/** Two published copies of the payment package: that of the deployment, and a look-alike. */
export const payContract = contractOf('payments');
export const lookAlikeContract = contractOf('look-alike');

function contractOf(purpose: string): SuiPayContract {
  const digest = seedOf(purpose);
  return {
    packageId: suiCreatedObjectId(digest, 0),
    registryId: suiCreatedObjectId(digest, 1),
    registryVersion,
  };
}

/** Coin types of the main network, so that the registry's tokens are valid here. */
export const coinTypes = {
  SUI: suiType,
  USDC: tokenType('USDC'),
  USDT: tokenType('USDT'),
} as const;

function tokenType(symbol: string): string {
  return canonicalMoveType(findChain('sui')!.tokens.find((it) => it.symbol === symbol)!.address!);
}

export interface GenesisAccount {
  readonly role: 'payer' | 'merchant' | 'fee_receiver' | 'second_payer';
  readonly address: string;
  /** In the format that wallets import. The key is public and has no value outside the sandbox. */
  readonly privateKey: string;
}

const roles = ['payer', 'merchant', 'fee_receiver', 'second_payer'] as const;

/** The accounts are derived from constants, so they are the same in every sandbox. */
export const genesisAccounts: readonly GenesisAccount[] = roles.map((role) => ({ role, ...keysOf(role) }));
/** The account of the simulated route provider. */
export const solverAccount = keysOf('solver');

function keysOf(purpose: string): Omit<GenesisAccount, 'role'> {
  const secret = Uint8Array.from([0, ...seedOf(purpose)]);
  const privateKey = bech32.encode('suiprivkey', bech32.toWords(secret), false);
  return { address: new SuiSigner(privateKey).address, privateKey };
}

const sui = 1_000_000_000n;
const dollar = 1_000_000n;
// Several coins each, so that wallets and the adapter must choose and merge coins.
const coinsOfPayers: readonly [keyof typeof coinTypes, bigint][] = [
  ['SUI', 1_000_000n * sui],
  ['SUI', 1_000n * sui],
  ['USDC', 1_000_000n * dollar],
  ['USDC', 1_000n * dollar],
  ['USDT', 1_000_000n * dollar],
];

const coinsOfSolver: readonly [keyof typeof coinTypes, bigint][] = [
  ['SUI', 100_000_000n * sui],
  ['USDC', 100_000_000n * dollar],
  ['USDT', 100_000_000n * dollar],
];

/** Returns the objects of the first checkpoint. */
export function genesisObjects(): SuiObject[] {
  let created = 0;
  const coins = genesisAccounts.flatMap(({ role, address }) => {
    const held = role === 'payer' || role === 'second_payer' ? coinsOfPayers : [['SUI', 100n * sui] as const];
    return held.map(([symbol, amountAtomic]) => {
      const id = suiCreatedObjectId(genesisDigest, created++);
      return objectOf(id, coinObjectType(coinTypes[symbol]), coinContents(id, amountAtomic), {
        kind: 'address',
        id: address,
      });
    });
  });
  const registries = [payContract, lookAlikeContract].map(({ packageId, registryId }) =>
    objectOf(registryId, `${packageId}::pay::Registry`, new BcsWriter().address(registryId).bytes, {
      kind: 'shared',
      version: registryVersion,
    }),
  );
  return [...coins, ...registries, ...solverCoins()];
}

/** Returns the coins of the solver, which a chain of an earlier version lacks. */
export function solverCoins(): SuiObject[] {
  const origin = seedOf('solver coins');
  return coinsOfSolver.map(([symbol, amountAtomic], at) => {
    const id = suiCreatedObjectId(origin, at);
    const owner: Owner = { kind: 'address', id: solverAccount.address };
    return objectOf(id, coinObjectType(coinTypes[symbol]), coinContents(id, amountAtomic), owner);
  });
}

const objectOf = (id: string, type: string, contents: Uint8Array, owner: Owner): SuiObject =>
  sealed({ id, version: 1n, owner, type, contents, previousTransaction: base58.encode(genesisDigest) });
