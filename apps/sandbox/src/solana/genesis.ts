import { ed25519 } from '@noble/curves/ed25519';
import { findChain } from '@tollbridge/chains';
import {
  addressFromBytes,
  deploymentAddresses,
  solanaPayCode,
  solanaPayCodeHash,
  splTokenProgram,
  systemProgram,
  tokenAccountAddress,
} from '@tollbridge/onchain/solana';
import { createHash } from 'node:crypto';
import type { AccountState } from './solana.repository';
import { mintData, tokenAccountData } from './token-account';

export interface SolanaKey {
  address: string;
  /** Seed of the key, 32 bytes. */
  secretKey: Uint8Array;
}

/** Derives a key from a name. Every sandbox has the same keys, so they must not be used elsewhere. */
export function sandboxSolanaKey(name: string): SolanaKey {
  const secretKey = createHash('sha256').update(`tollbridge sandbox Solana ${name}`).digest();
  return { secretKey, address: addressFromBytes(ed25519.getPublicKey(secretKey)) };
}

export const solanaRoles = ['payer', 'merchant', 'fee_receiver', 'second_payer'] as const;
export type SolanaRole = (typeof solanaRoles)[number];

/** The hash of Solana's first block, which clients use to recognise the network of a node. */
export const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** The payment program, at the address that its deployment would have. */
export const payProgram = {
  address: deploymentAddresses(sandboxSolanaKey('deployer').address, solanaPayCodeHash).program,
  code: Buffer.from(solanaPayCode, 'base64'),
};

const sol = 1_000_000_000n;
const isPayer = (role: SolanaRole) => role === 'payer' || role === 'second_payer';
// More than the total of all faucets.
const faucetLamports = 100_000_000n * sol;
const payerLamports = 10_000n * sol;
const otherLamports = 10n * sol;
// One million dollars, in the smallest unit of a token with six decimals.
const payerTokens = 1_000_000_000_000n;
// The rent of an account in lamports, which matches the mints that Circle and Tether deployed.
const rentOf = (bytes: number) => BigInt(128 + bytes) * 6_960n;

/** The registry's tokens at their real addresses, with a mint authority of the sandbox. */
export const genesisTokens = findChain('solana')!.tokens.flatMap(({ symbol, address, decimals }) =>
  address === null ? [] : [{ symbol, mint: address, decimals }],
);

/** Receives the payments for the demo route. */
export const demoSeller = sandboxSolanaKey('demo seller').address;
/** The default of SALES_SOLANA_KEY in the sandbox. */
export const salesWallet = sandboxSolanaKey('sales').address;

/** Returns the initial accounts of the network. */
export function genesisAccounts(): Map<string, AccountState> {
  const accounts = new Map<string, AccountState>();
  const wallet = (address: string, lamports: bigint) =>
    accounts.set(address, {
      lamports,
      owner: systemProgram,
      data: new Uint8Array(0),
      executable: false,
    });
  const ofTokens = (address: string, data: Uint8Array) =>
    accounts.set(address, {
      lamports: rentOf(data.length),
      owner: splTokenProgram,
      data,
      executable: false,
    });
  const faucet = sandboxSolanaKey('faucet').address;
  wallet(faucet, faucetLamports);
  wallet(sandboxSolanaKey('deployer').address, otherLamports);
  for (const role of solanaRoles)
    wallet(sandboxSolanaKey(role).address, isPayer(role) ? payerLamports : otherLamports);
  const payers = solanaRoles.filter(isPayer).map((role) => sandboxSolanaKey(role).address);
  for (const { mint, decimals } of genesisTokens) {
    ofTokens(mint, mintData(faucet, payerTokens * BigInt(payers.length), decimals));
    for (const payer of payers)
      ofTokens(tokenAccountAddress(payer, mint, splTokenProgram), tokenAccountData(mint, payer, payerTokens));
  }
  for (const [address, account] of x402Accounts()) accounts.set(address, account);
  return accounts;
}

/**
 * Returns the account that pays the fees of settlements, and the token accounts of sellers, which buyers of x402 do not
 * create. Networks of earlier releases lack these accounts.
 */
export function x402Accounts(): Map<string, AccountState> {
  const { address: feePayer } = sandboxSolanaKey('facilitator');
  const usdc = genesisTokens.find(({ symbol }) => symbol === 'USDC')!.mint;
  const ofSellers = [demoSeller, salesWallet, sandboxSolanaKey('merchant').address].map((owner) => {
    const data = tokenAccountData(usdc, owner, 0n);
    const account = { lamports: rentOf(data.length), owner: splTokenProgram, data, executable: false };
    return [tokenAccountAddress(owner, usdc, splTokenProgram), account] as const;
  });
  return new Map([
    [feePayer, { lamports: otherLamports, owner: systemProgram, data: new Uint8Array(0), executable: false }],
    ...ofSellers,
  ]);
}
