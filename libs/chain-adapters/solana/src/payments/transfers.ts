import { ownValue, type ReceivedTransfer } from '@tollbridge/chain-port';
import type { SolanaTransaction } from '../solana-types';

/** What an owner gained or lost of a mint. */
interface TokenChange {
  owner: string;
  mint: string;
  amountAtomic: bigint;
}

/**
 * What a receiver gained in a transaction, as one transfer: by the balances before and after, which the runtime itself records,
 * so that fees of a token and calls between programs are included.
 * @param mint null for the coin
 */
export function transfersTo(
  transaction: SolanaTransaction,
  mint: string | null,
  receiver: string,
): ReceivedTransfer[] {
  if (!transaction.isSuccessful) return [];
  const amountAtomic =
    mint === null ? lamportsGained(transaction, receiver) : gained(transaction, mint, receiver);
  if (amountAtomic <= 0n) return [];
  const from = mint === null ? coinSender(transaction) : tokenSender(transaction, mint, receiver);
  return [{ txHash: transaction.signature, logIndex: ownValue, from, amountAtomic }];
}

/** Whether the receiver gained another token, or coins where a token was wanted. */
export function gainsOtherTokens(
  transaction: SolanaTransaction,
  mint: string | null,
  receiver: string,
): boolean {
  if (!transaction.isSuccessful) return false;
  if (mint !== null && lamportsGained(transaction, receiver) > 0n) return true;
  return tokenChanges(transaction).some(
    (change) => change.owner === receiver && change.mint !== mint && change.amountAtomic > 0n,
  );
}

function lamportsGained({ accounts, before, after }: SolanaTransaction, receiver: string): bigint {
  const at = accounts.indexOf(receiver);
  return at < 0 ? 0n : after[at]! - before[at]!;
}

const gained = (transaction: SolanaTransaction, mint: string, owner: string): bigint =>
  tokenChanges(transaction).find((change) => change.owner === owner && change.mint === mint)?.amountAtomic ??
  0n;

/** The signer who lost the most lamports; all others may be accounts of programs. */
function coinSender({ accounts, signers, before, after }: SolanaTransaction): string {
  const lost = (account: string): bigint => {
    const at = accounts.indexOf(account);
    return before[at]! - after[at]!;
  };
  return signers.reduce((most, signer) => (lost(signer) > lost(most) ? signer : most));
}

/** Who lost the most of the token; a signer where one of them signed. */
function tokenSender(transaction: SolanaTransaction, mint: string, receiver: string): string {
  const { signers } = transaction;
  const losers = tokenChanges(transaction)
    .filter((it) => it.mint === mint && it.owner !== receiver && it.amountAtomic < 0n)
    .sort((one, other) => (one.amountAtomic < other.amountAtomic ? -1 : 1));
  const signed = losers.find(({ owner }) => signers.includes(owner));
  return (signed ?? losers[0])?.owner ?? signers[0]!;
}

/** By owner and mint. An account that changed its owner is no transfer. */
function tokenChanges({ tokensBefore, tokensAfter }: SolanaTransaction): TokenChange[] {
  const ownerAfter = new Map(tokensAfter.map(({ account, owner }) => [account, owner]));
  const ownerBefore = new Map(tokensBefore.map(({ account, owner }) => [account, owner]));
  const changes = new Map<string, TokenChange>();
  const add = (owner: string, mint: string, amountAtomic: bigint): void => {
    const key = `${owner} ${mint}`;
    const known = changes.get(key)?.amountAtomic ?? 0n;
    changes.set(key, { owner, mint, amountAtomic: known + amountAtomic });
  };
  for (const { account, owner, mint, amountAtomic } of tokensBefore)
    if ((ownerAfter.get(account) ?? owner) === owner) add(owner, mint, -amountAtomic);
  for (const { account, owner, mint, amountAtomic } of tokensAfter)
    if ((ownerBefore.get(account) ?? owner) === owner) add(owner, mint, amountAtomic);
  return [...changes.values()];
}
