import type { CommandContext } from '../command';
import { UsageError } from '../exit-codes';
import { readJsonFlag } from '../json-flag';
import type { FlagInfo } from '../parse-flags';

/** A request to a seller, sent first without a payment and then with it. */
export interface PricedRequest {
  url: string;
  method: string;
  /** JSON text. */
  body?: string;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Options of the commands that send such a request. */
export const requestFlags: readonly FlagInfo[] = [
  {
    name: 'method',
    value: `<${methods.join('|')}>`,
    values: methods,
    description: 'Method of a URL that answers 402: by default GET, and POST with --data',
  },
  {
    name: 'data',
    value: '<json|@file|->',
    description: 'Body for a URL that answers 402: JSON, from a file, or from standard input',
  },
];

/** Reads the request from the command line. @throws UsageError */
export async function readRequest(context: CommandContext, url: string): Promise<PricedRequest> {
  const data = await readJsonFlag(context);
  const method = context.flag('method') ?? (data ? 'POST' : 'GET');
  if (data && method === 'GET') throw new UsageError('GET has no body.', 'Leave --method or --data out.');
  // The original text is sent, because a parsed number may lose digits.
  return { url, method, ...(data && { body: data.text }) };
}
