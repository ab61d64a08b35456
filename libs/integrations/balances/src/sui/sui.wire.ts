import { UnreadableReply, readAmount, readFields, readList, readText } from '@tollbridge/http';
import type { Token } from '@tollbridge/chains';
import { readRpcResult } from '../json-rpc';
import { ReadFailure } from '../read-failure';
import { requireSame } from '../wire-fields';

// https://docs.sui.io/sui-api-ref#suix_getallbalances (deprecated since 2026),
// https://docs.sui.io/references/sui-api/sui-graphql/beta/reference/types/objects/address `balance(coinType)`

const coin = '0x2::sui::SUI';

/**
 * Returns `0x2::sui::SUI` with all digits and lower-case letters in its package, because nodes use long and short
 * forms.
 */
export function coinType(token: Pick<Token, 'address'>): string {
  return spelling(token.address ?? coin);
}

function spelling(text: string): string {
  const [, account, path] = /^(?:0x)?([0-9a-fA-F]{1,64})(::\S+)$/.exec(text) ?? [];
  if (account === undefined) throw new UnreadableReply('coin type is malformed');
  return `0x${account.toLowerCase().padStart(64, '0')}${path}`;
}

/** Returns balances by coin type. Sui lists only coins that the wallet has, so a missing type has a zero balance. */
export function readAllBalances(reply: unknown): Map<string, bigint> {
  const balances = readList(readRpcResult(reply), 'result').map((entry) => readFields(entry, 'result[]'));
  return new Map(
    balances.map((balance) => [
      spelling(readText(balance['coinType'], 'coinType')),
      readAmount(balance['totalBalance'], 'totalBalance'),
    ]),
  );
}

/** Queries one field per token, so that the reply needs no paging and lists no dust. */
export function balancesQuery(owner: string, tokens: readonly Token[]): { query: string; variables: object } {
  const fields = tokens.map(
    (_token, index) => `t${index}: balance(coinType: $c${index}) { coinType { repr } totalBalance }`,
  );
  const types = tokens.map((_token, index) => `, $c${index}: String!`).join('');
  const query = `query ($owner: SuiAddress!${types}) { address(address: $owner) { ${fields.join(' ')} } }`;
  const variables = Object.fromEntries(tokens.map((token, index) => [`c${index}`, coinType(token)]));
  return { query, variables: { owner, ...variables } };
}

/** Returns balances in the order of the tokens. Missing coins are zero. */
export function readQueriedBalances(reply: unknown, tokens: readonly Token[]): bigint[] {
  const { errors, data } = readFields(reply, 'reply');
  if (errors !== undefined && errors !== null) throw new ReadFailure('the query returned errors');
  const address = readFields(readFields(data, 'data')['address'], 'address');
  return tokens.map((token, index) => {
    const balance = readFields(address[`t${index}`], 'balance');
    const repr = readText(readFields(balance['coinType'], 'coinType')['repr'], 'repr');
    requireSame(spelling(repr), coinType(token), 'repr');
    return readAmount(balance['totalBalance'], 'totalBalance');
  });
}
