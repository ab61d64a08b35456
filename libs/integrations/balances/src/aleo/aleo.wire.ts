import { readAmount, readText } from '@tollbridge/http';

// https://developer.aleo.org/apis/v1/get-mapping-value: /program/{id}/mapping/{name}/{key}

/** Parses microcredits with their type, `"123u64"`. The reply is null if the account never had public credits. */
export function readMappingValue(reply: unknown): bigint {
  if (reply === null) return 0n;
  const [, digits] = /^(\d+)u64$/.exec(readText(reply, 'mapping value')) ?? [];
  return readAmount(digits, 'mapping value');
}
