import { base58 } from '@scure/base';
import { tokenAmountJson } from './accounts.wire';
import { parseTransaction, type ParsedTransaction } from '@tollbridge/onchain/solana';
import { rpcCodes, SolanaRejection } from './solana-rejection';
import type { StoredTransaction } from './solana.repository';
import type { TokenBalanceMeta, TransactionMeta } from './transaction-meta';

export interface TransactionFormat {
  /** `json`, `jsonParsed`, `base64` or `base58`. */
  encoding: string;
  /** Undefined for a client that supports only legacy transactions. */
  maxVersion: number | undefined;
}

/** Returns a transaction with its metadata, in the format of `getTransaction` and `getBlock`. */
export function transactionJson(
  stored: StoredTransaction,
  { encoding, maxVersion }: TransactionFormat,
): object {
  const parsed = parseTransaction(stored.wire);
  if (parsed.version !== 'legacy' && maxVersion === undefined)
    throw new SolanaRejection(
      rpcCodes.unsupportedTransactionVersion,
      `Transaction version (${parsed.version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${parsed.version}`,
    );
  const transaction = encodedJson(stored, parsed, encoding);
  const meta = metaJson(stored.meta, parsed, encoding === 'jsonParsed');
  return { transaction, meta, ...(maxVersion !== undefined && { version: parsed.version }) };
}

function encodedJson(
  { wire, meta }: StoredTransaction,
  parsed: ParsedTransaction,
  encoding: string,
): unknown {
  if (encoding === 'base64') return [wire.toString('base64'), 'base64'];
  if (encoding === 'base58') return [base58.encode(wire), 'base58'];
  const { signatures, recentBlockhash, accountKeys, version } = parsed;
  const isFull = encoding === 'jsonParsed';
  const addresses = addressesOf(parsed, meta);
  const lookups = version === 'legacy' ? {} : { addressTableLookups: parsed.lookups };
  const instructions = parsed.instructions.map((it) =>
    instructionJson(
      { ...it, data: base58.encode(it.data), stackHeight: isFull ? 1 : null },
      addresses,
      isFull,
    ),
  );
  if (isFull)
    return {
      signatures,
      message: { accountKeys: accountsJson(parsed, meta), recentBlockhash, instructions, ...lookups },
    };
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = parsed;
  const header = { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts };
  return { signatures, message: { header, accountKeys, recentBlockhash, instructions, ...lookups } };
}

const addressesOf = ({ accountKeys }: ParsedTransaction, { loadedAddresses }: TransactionMeta): string[] => [
  ...accountKeys,
  ...loadedAddresses.writable,
  ...loadedAddresses.readonly,
];

function accountsJson(parsed: ParsedTransaction, meta: TransactionMeta): object[] {
  const { numRequiredSignatures: signers, accountKeys } = parsed;
  const own = accountKeys.map((pubkey, at) => ({
    pubkey,
    signer: at < signers,
    writable:
      at < signers
        ? at < signers - parsed.numReadonlySignedAccounts
        : at < accountKeys.length - parsed.numReadonlyUnsignedAccounts,
    source: 'transaction',
  }));
  const loaded = (list: readonly string[], writable: boolean) =>
    list.map((pubkey) => ({ pubkey, signer: false, writable, source: 'lookupTable' }));
  const { writable, readonly } = meta.loadedAddresses;
  return [...own, ...loaded(writable, true), ...loaded(readonly, false)];
}

interface InstructionJson {
  programIdIndex: number;
  accounts: number[];
  data: string;
  stackHeight: number | null;
}

/** Replaces indexes by addresses, as nodes do for instructions that they cannot parse. */
function instructionJson(
  instruction: InstructionJson,
  addresses: readonly string[],
  isFull: boolean,
): object {
  if (!isFull) return instruction;
  const { programIdIndex, accounts, data, stackHeight } = instruction;
  return {
    programId: addresses[programIdIndex],
    accounts: accounts.map((at) => addresses[at]),
    data,
    stackHeight,
  };
}

function metaJson(meta: TransactionMeta, parsed: ParsedTransaction, isFull: boolean): object {
  const { err, fee, preBalances, postBalances, loadedAddresses, logMessages, computeUnitsConsumed } = meta;
  const addresses = addressesOf(parsed, meta);
  return {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: BigInt(fee),
    preBalances: preBalances.map(BigInt),
    postBalances: postBalances.map(BigInt),
    preTokenBalances: meta.preTokenBalances.map(tokenBalanceJson),
    postTokenBalances: meta.postTokenBalances.map(tokenBalanceJson),
    innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map((it) => instructionJson(it, addresses, isFull)),
    })),
    logMessages,
    computeUnitsConsumed,
    rewards: [],
    ...(!isFull && { loadedAddresses }),
  };
}

function tokenBalanceJson({ amount, decimals, ...rest }: TokenBalanceMeta): object {
  return { ...rest, uiTokenAmount: tokenAmountJson(BigInt(amount), decimals) };
}
