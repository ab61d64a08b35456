import type { IncomingMessage } from 'node:http';

export const paymentHeader = 'payment-signature';

/**
 * The values of the payment header in a request, each as often as it occurs: Node joins repeated headers into one, which hides
 * how many there were.
 */
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
  // Without raw headers, as some tests make requests, what is joined is all that there is.
  return values.length > 1 ? values : joined;
}
