import { maxOtherTransfers, type OtherTransfer, type ReceivedTransfer } from '@tollbridge/chain-port';
import type { SolanaTransaction, TokenBalance } from '../solana-types';

/** The change of an owner's balance of a mint. */
interface TokenChange {
  owner: string;
  mint: string;
  amountAtomic: bigint;
  /** Position of the owner's first token account in the transaction. */
  at: number;
}

// A transaction has at most 256 accounts.
const maxAccounts = 256;

/**
 * Returns a receiver's gain in a transaction as one transfer. It is computed from the balances before and after, which
 * the runtime itself records. So it accounts for fees of a token and for calls between programs.
 * @param mint null for the coin
 */
export function transfersTo(
  transaction: SolanaTransaction,
  mint: string | null,
  receiver: string,
): ReceivedTransfer[] {
  if (!transaction.isSuccessful) return [];
  const gain = mint === null ? coinGain(transaction, receiver) : tokenGain(transaction, mint, receiver);
  if (gain.amountAtomic <= 0n) return [];
  const from = mint === null ? coinSender(transaction) : tokenSender(transaction, mint, receiver);
  return [{ txHash: transaction.signature, from, ...gain }];
}

type Gain = Pick<ReceivedTransfer, 'logIndex' | 'amountAtomic'>;
const noGain: Gain = { logIndex: 0, amountAtomic: 0n };

/**
 * Every gain has its own index. Otherwise a transfer to one receiver could be counted instead of a transfer to
 * another.
 */
const coinGain = (transaction: SolanaTransaction, receiver: string): Gain => ({
  logIndex: transaction.accounts.indexOf(receiver),
  amountAtomic: lamportsGained(transaction, receiver),
});

function tokenGain(transaction: SolanaTransaction, mint: string, owner: string): Gain {
  const change = tokenChanges(transaction).find((it) => it.owner === owner && it.mint === mint);
  // A token account can gain coins too: its rent.
  return change ? { logIndex: maxAccounts + change.at, amountAtomic: change.amountAtomic } : noGain;
}

/** Returns the receiver's gains of other tokens. Includes the coin if a token is wanted. */
export function otherTransfersTo(
  transaction: SolanaTransaction,
  mint: string | null,
  receiver: string,
): OtherTransfer[] {
  const gained = tokenChanges(transaction).filter(
    (change) => change.owner === receiver && change.mint !== mint && change.amountAtomic > 0n,
  );
  const others = [...(mint === null ? [] : [null]), ...gained.map((change) => change.mint)];
  return others
    .flatMap((tokenAddress) =>
      transfersTo(transaction, tokenAddress, receiver).map((transfer) => ({ ...transfer, tokenAddress })),
    )
    .filter(({ from }) => from !== receiver)
    .slice(0, maxOtherTransfers);
}

function lamportsGained({ accounts, before, after }: SolanaTransaction, receiver: string): bigint {
  const at = accounts.indexOf(receiver);
  return at < 0 ? 0n : after[at]! - before[at]!;
}

/** Returns the signer that lost the most lamports, because all other accounts may belong to programs. */
function coinSender({ accounts, signers, before, after }: SolanaTransaction): string {
  const lost = (account: string): bigint => {
    const at = accounts.indexOf(account);
    return before[at]! - after[at]!;
  };
  return signers.reduce((most, signer) => (lost(signer) > lost(most) ? signer : most));
}

/** Returns the owner that lost the most of the token, preferably a signer. */
function tokenSender(transaction: SolanaTransaction, mint: string, receiver: string): string {
  const { signers } = transaction;
  const losers = tokenChanges(transaction)
    .filter((it) => it.mint === mint && it.owner !== receiver && it.amountAtomic < 0n)
    .sort((one, other) => (one.amountAtomic < other.amountAtomic ? -1 : 1));
  const signed = losers.find(({ owner }) => signers.includes(owner));
  return (signed ?? losers[0])?.owner ?? signers[0]!;
}

/** Returns balance changes by owner and mint. A new owner of a token account is not a transfer. */
function tokenChanges({ accounts, tokensBefore, tokensAfter }: SolanaTransaction): TokenChange[] {
  const ownerAfter = new Map(tokensAfter.map(({ account, owner }) => [account, owner]));
  const ownerBefore = new Map(tokensBefore.map(({ account, owner }) => [account, owner]));
  const changes = new Map<string, TokenChange>();
  const add = ({ account, owner, mint }: TokenBalance, amountAtomic: bigint): void => {
    const key = `${owner} ${mint}`;
    const at = accounts.indexOf(account);
    const known = changes.get(key) ?? { amountAtomic: 0n, at };
    changes.set(key, {
      owner,
      mint,
      amountAtomic: known.amountAtomic + amountAtomic,
      at: Math.min(known.at, at),
    });
  };
  for (const it of tokensBefore)
    if ((ownerAfter.get(it.account) ?? it.owner) === it.owner) add(it, -it.amountAtomic);
  for (const it of tokensAfter)
    if ((ownerBefore.get(it.account) ?? it.owner) === it.owner) add(it, it.amountAtomic);
  return [...changes.values()];
}
