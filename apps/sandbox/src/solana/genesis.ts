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

/** A key from a name: every sandbox has the same, so they are worthless outside. */
export function sandboxSolanaKey(name: string): SolanaKey {
  const secretKey = createHash('sha256').update(`tollbridge sandbox Solana ${name}`).digest();
  return { secretKey, address: addressFromBytes(ed25519.getPublicKey(secretKey)) };
}

export const solanaRoles = ['payer', 'merchant', 'fee_receiver', 'second_payer'] as const;
export type SolanaRole = (typeof solanaRoles)[number];

/** The hash of Solana's first block: clients recognise the network of a node by it. */
export const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** Where the payment program stands: at the address that its deploy command would give. */
export const payProgram = {
  address: deploymentAddresses(sandboxSolanaKey('deployer').address, solanaPayCodeHash).program,
  code: Buffer.from(solanaPayCode, 'base64'),
};

const sol = 1_000_000_000n;
const isPayer = (role: SolanaRole) => role === 'payer' || role === 'second_payer';
// More than all faucets send.
const faucetLamports = 100_000_000n * sol;
const payerLamports = 10_000n * sol;
const otherLamports = 10n * sol;
// A million dollars, in the smallest unit of six decimals.
const payerTokens = 1_000_000_000_000n;
// Rent in lamports for an account, as in the mints that Circle and Tether deployed.
const rentOf = (bytes: number) => BigInt(128 + bytes) * 6_960n;

/** The tokens of the registry at their own addresses, with an authority of the sandbox. */
export const genesisTokens = findChain('solana')!.tokens.flatMap(({ symbol, address, decimals }) =>
  address === null ? [] : [{ symbol, mint: address, decimals }],
);

/** Receives what the demo route is paid. */
export const demoSeller = sandboxSolanaKey('demo seller').address;
/** The default of SALES_SOLANA_KEY in the sandbox. */
export const salesWallet = sandboxSolanaKey('sales').address;

/** The first accounts of the network. */
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
 * The account that pays the fees of settlements, and token accounts of sellers: buyers of x402 create none. Networks of
 * earlier releases lack them.
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
