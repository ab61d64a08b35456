import { UnreadableReply } from '@tollbridge/http';
import type { SolanaInstruction, SolanaTransaction, TokenBalance } from './solana-types';
import {
  addressOf,
  amountTextOf,
  countOf,
  fieldsOf,
  lamportsOf,
  listOf,
  signatureOf,
  textOf,
} from './wire-fields';

// https://solana.com/docs/rpc/http/gettransaction, encoding `json`

/** Reads the result of `getTransaction`; null where the node has no such transaction. */
export function readTransaction(result: unknown, signature: string): SolanaTransaction | null {
  if (result === null) return null;
  const fields = fieldsOf(result, 'the transaction');
  const transaction = fieldsOf(fields['transaction'], 'transaction');
  const message = fieldsOf(transaction['message'], 'message');
  const meta = fieldsOf(fields['meta'], 'meta');
  const [first] = listOf(transaction['signatures'], 'signatures');
  if (signatureOf(first, 'signature') !== signature)
    throw new UnreadableReply('the transaction has another signature');
  const accounts = readAccounts(message, meta);
  return {
    signature,
    slot: countOf(fields['slot'], 'slot'),
    isSuccessful: readSuccess(meta['err']),
    accounts,
    signers: accounts.slice(0, readSignerCount(message, accounts)),
    instructions: readInstructions(message, meta, accounts),
    before: readLamports(meta['preBalances'], accounts),
    after: readLamports(meta['postBalances'], accounts),
    tokensBefore: readTokens(meta['preTokenBalances'], accounts),
    tokensAfter: readTokens(meta['postTokenBalances'], accounts),
  };
}

/** `err` is null for success, and must be there: its absence proves nothing. */
export function readSuccess(err: unknown): boolean {
  if (err === undefined) throw new UnreadableReply('err is missing');
  return err === null;
}

function readAccounts(message: Record<string, unknown>, meta: Record<string, unknown>): string[] {
  const accounts = listOf(message['accountKeys'], 'accountKeys').map((it) => addressOf(it, 'accountKeys[]'));
  const loaded = meta['loadedAddresses'];
  if (loaded === undefined || loaded === null) return accounts;
  const { writable, readonly } = fieldsOf(loaded, 'loadedAddresses');
  const added = [writable, readonly].flatMap((list) =>
    listOf(list, 'loadedAddresses').map((it) => addressOf(it, 'loadedAddresses[]')),
  );
  return [...accounts, ...added];
}

function readSignerCount(message: Record<string, unknown>, accounts: readonly string[]): number {
  const { numRequiredSignatures } = fieldsOf(message['header'], 'header');
  const count = countOf(numRequiredSignatures, 'numRequiredSignatures');
  if (count < 1 || count > accounts.length)
    throw new UnreadableReply('numRequiredSignatures is out of range');
  return count;
}

function readInstructions(
  message: Record<string, unknown>,
  meta: Record<string, unknown>,
  accounts: readonly string[],
): SolanaInstruction[] {
  const top = listOf(message['instructions'], 'instructions');
  const inner = new Map<number, readonly unknown[]>();
  // Null where the node did not record them: then a payment through another program could be overlooked.
  for (const entry of listOf(meta['innerInstructions'], 'innerInstructions')) {
    const { index, instructions } = fieldsOf(entry, 'innerInstructions[]');
    const at = countOf(index, 'innerInstructions[].index');
    if (at >= top.length || inner.has(at)) throw new UnreadableReply('innerInstructions[].index is wrong');
    inner.set(at, listOf(instructions, 'innerInstructions[].instructions'));
  }
  return top.flatMap((instruction, at) => [
    readInstruction(instruction, accounts, false),
    ...(inner.get(at) ?? []).map((it) => readInstruction(it, accounts, true)),
  ]);
}

function readInstruction(value: unknown, accounts: readonly string[], isInner: boolean): SolanaInstruction {
  const { programIdIndex, accounts: used, data } = fieldsOf(value, 'instructions[]');
  return {
    programId: accountAt(programIdIndex, accounts),
    accounts: listOf(used, 'instructions[].accounts').map((it) => accountAt(it, accounts)),
    data: textOf(data, 'instructions[].data'),
    isInner,
  };
}

function accountAt(index: unknown, accounts: readonly string[]): string {
  const account = accounts[countOf(index, 'an account index')];
  if (account === undefined) throw new UnreadableReply('an account index is out of range');
  return account;
}

function readLamports(value: unknown, accounts: readonly string[]): bigint[] {
  const balances = listOf(value, 'balances').map((it) => lamportsOf(it, 'balances[]'));
  if (balances.length !== accounts.length) throw new UnreadableReply('balances have another length');
  return balances;
}

function readTokens(value: unknown, accounts: readonly string[]): TokenBalance[] {
  return listOf(value, 'token balances').map((entry) => {
    const { accountIndex, mint, owner, uiTokenAmount } = fieldsOf(entry, 'token balances[]');
    const { amount } = fieldsOf(uiTokenAmount, 'uiTokenAmount');
    return {
      account: accountAt(accountIndex, accounts),
      mint: addressOf(mint, 'mint'),
      owner: addressOf(owner, 'owner'),
      amountAtomic: amountTextOf(amount, 'amount'),
    };
  });
}
