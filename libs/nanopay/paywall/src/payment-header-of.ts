import type { IncomingMessage } from 'node:http';

export const paymentHeader = 'payment-signature';

/** Returns all values of the payment header in a request, because Node joins repeated headers into one. */
export function paymentHeaderOf(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
): string | string[] | undefined {
  const joined = request.headers[paymentHeader];
  if (joined === undefined) return undefined;
  const { rawHeaders } = request;
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === paymentHeader.length && name.toLowerCase() === paymentHeader)
      values.push(rawHeaders[at + 1]!);
  }
  // Requests of some tests have only the joined value, without raw headers.
  return values.length > 1 ? values : joined;
}

/** Returns the header `Sign-In-With-X`. Node joins repeated headers; the joined value is malformed. */
export function signInHeaderOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const value = headers['sign-in-with-x'];
  return typeof value === 'string' ? value : value?.join();
}
