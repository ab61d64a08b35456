import { UnreadableReply, readCount, readFields, readList, readText } from '@tollbridge/http';
import type { SolanaInstruction, SolanaTransaction, TokenBalance } from './solana-types';
import { readAddress, readTokenAmount, readLamports, readSignature } from './wire-fields';

// https://solana.com/docs/rpc/http/gettransaction, encoding `json`

/** Parses the result of `getTransaction`. Returns null if the node does not have the transaction. */
export function readTransaction(result: unknown, signature: string): SolanaTransaction | null {
  if (result === null) return null;
  const fields = readFields(result, 'the transaction');
  const transaction = readFields(fields['transaction'], 'transaction');
  const message = readFields(transaction['message'], 'message');
  const meta = readFields(fields['meta'], 'meta');
  const [first] = readList(transaction['signatures'], 'signatures');
  if (readSignature(first, 'signature') !== signature)
    throw new UnreadableReply('the transaction has another signature');
  const accounts = readAccounts(message, meta);
  return {
    signature,
    slot: readCount(fields['slot'], 'slot'),
    isSuccessful: readSuccess(meta['err']),
    accounts,
    signers: accounts.slice(0, readSignerCount(message, accounts)),
    instructions: readInstructions(message, meta, accounts),
    before: readBalances(meta['preBalances'], accounts),
    after: readBalances(meta['postBalances'], accounts),
    tokensBefore: readTokens(meta['preTokenBalances'], accounts),
    tokensAfter: readTokens(meta['postTokenBalances'], accounts),
  };
}

/** `err` is null for success. It must be present, because its absence proves nothing. */
export function readSuccess(err: unknown): boolean {
  if (err === undefined) throw new UnreadableReply('err is missing');
  return err === null;
}

function readAccounts(message: Record<string, unknown>, meta: Record<string, unknown>): string[] {
  const accounts = readList(message['accountKeys'], 'accountKeys').map((it) =>
    readAddress(it, 'accountKeys[]'),
  );
  const loaded = meta['loadedAddresses'];
  if (loaded === undefined || loaded === null) return accounts;
  const { writable, readonly } = readFields(loaded, 'loadedAddresses');
  const added = [writable, readonly].flatMap((list) =>
    readList(list, 'loadedAddresses').map((it) => readAddress(it, 'loadedAddresses[]')),
  );
  return [...accounts, ...added];
}

function readSignerCount(message: Record<string, unknown>, accounts: readonly string[]): number {
  const { numRequiredSignatures } = readFields(message['header'], 'header');
  const count = readCount(numRequiredSignatures, 'numRequiredSignatures');
  if (count < 1 || count > accounts.length)
    throw new UnreadableReply('numRequiredSignatures is out of range');
  return count;
}

function readInstructions(
  message: Record<string, unknown>,
  meta: Record<string, unknown>,
  accounts: readonly string[],
): SolanaInstruction[] {
  const top = readList(message['instructions'], 'instructions');
  const inner = new Map<number, readonly unknown[]>();
  // The list is null if the node did not record inner instructions. A payment through another program could then be
  // missed.
  for (const entry of readList(meta['innerInstructions'], 'innerInstructions')) {
    const { index, instructions } = readFields(entry, 'innerInstructions[]');
    const at = readCount(index, 'innerInstructions[].index');
    if (at >= top.length || inner.has(at)) throw new UnreadableReply('innerInstructions[].index is wrong');
    inner.set(at, readList(instructions, 'innerInstructions[].instructions'));
  }
  return top.flatMap((instruction, at) => [
    readInstruction(instruction, accounts, false),
    ...(inner.get(at) ?? []).map((it) => readInstruction(it, accounts, true)),
  ]);
}

function readInstruction(value: unknown, accounts: readonly string[], isInner: boolean): SolanaInstruction {
  const { programIdIndex, accounts: used, data } = readFields(value, 'instructions[]');
  return {
    programId: accountAt(programIdIndex, accounts),
    accounts: readList(used, 'instructions[].accounts').map((it) => accountAt(it, accounts)),
    data: readText(data, 'instructions[].data'),
    isInner,
  };
}

function accountAt(index: unknown, accounts: readonly string[]): string {
  const account = accounts[readCount(index, 'an account index')];
  if (account === undefined) throw new UnreadableReply('an account index is out of range');
  return account;
}

function readBalances(value: unknown, accounts: readonly string[]): bigint[] {
  const balances = readList(value, 'balances').map((it) => readLamports(it, 'balances[]'));
  if (balances.length !== accounts.length)
    throw new UnreadableReply('balances and accounts differ in length');
  return balances;
}

function readTokens(value: unknown, accounts: readonly string[]): TokenBalance[] {
  return readList(value, 'token balances').map((entry) => {
    const { accountIndex, mint, owner, uiTokenAmount } = readFields(entry, 'token balances[]');
    const { amount } = readFields(uiTokenAmount, 'uiTokenAmount');
    return {
      account: accountAt(accountIndex, accounts),
      mint: readAddress(mint, 'mint'),
      owner: readAddress(owner, 'owner'),
      amountAtomic: readTokenAmount(amount, 'amount'),
    };
  });
}
