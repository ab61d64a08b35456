import { base58 } from '@scure/base';
import { formatUnits } from '@tollbridge/money';
import type { AccountState } from './solana.repository';
import { invalidParams } from './solana-rejection';
import { configParam, countParam, type Config } from './rpc-params';
import { readTokenAccount, type Mint } from './token-account';

type FindMint = (address: string) => Mint | undefined;

/** Returns an account in the format of `getAccountInfo`. */
export function accountJson(state: AccountState, config: Config, findMint: FindMint): object {
  const { lamports, owner, executable, data } = state;
  return {
    lamports,
    owner,
    executable,
    rentEpoch: 2n ** 64n - 1n,
    space: data.length,
    data: dataJson(state, config, findMint),
  };
}

function dataJson(state: AccountState, config: Config, findMint: FindMint): unknown {
  const { encoding = 'binary' } = config;
  if (encoding === 'jsonParsed') {
    const parsed = parsedJson(state, findMint);
    if (parsed) return parsed;
    return [Buffer.from(state.data).toString('base64'), 'base64'];
  }
  const bytes = sliceOf(state.data, config['dataSlice']);
  if (encoding === 'base64') return [Buffer.from(bytes).toString('base64'), 'base64'];
  if (bytes.length > 128) throw invalidParams('Encoded binary (base 58) data should be less than 128 bytes');
  return encoding === 'base58' ? [base58.encode(bytes), 'base58'] : base58.encode(bytes);
}

function sliceOf(data: Uint8Array, slice: unknown): Uint8Array {
  if (slice === undefined || slice === null) return data;
  const { offset, length } = configParam(slice);
  const start = countParam(offset);
  return data.subarray(start, start + countParam(length));
}

function parsedJson(state: AccountState, findMint: FindMint): object | undefined {
  const token = readTokenAccount(state);
  const mint = token && findMint(token.mint);
  if (!token || !mint) return undefined;
  return {
    program: token.programId.startsWith('Tokenz') ? 'spl-token-2022' : 'spl-token',
    space: state.data.length,
    parsed: {
      type: 'account',
      info: {
        isNative: false,
        mint: token.mint,
        owner: token.owner,
        state: token.isFrozen ? 'frozen' : 'initialized',
        tokenAmount: tokenAmountJson(token.amount, mint.decimals),
      },
    },
  };
}

export function tokenAmountJson(amount: bigint, decimals: number): object {
  const uiAmountString = formatUnits(amount, decimals);
  return { amount: String(amount), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}
