const timeoutMs = 15_000;

/** What a node answered, or that it gave no usable answer: then the outcome of the request is unknown. */
export class TronNodeError extends Error {}

/**
 * The HTTP interface of a full node or of TronGrid. Errors do not contain the URL, which may contain an access token.
 */
export class TronNode {
  private readonly baseUrl: string;

  constructor(
    url: string,
    private readonly apiKey?: string,
  ) {
    if (!URL.canParse(url)) throw new Error('The URL of the node is malformed');
    this.baseUrl = url.replace(/\/+$/, '');
  }

  /** Posts to `wallet/…` or `walletsolidity/…`. @throws TronNodeError without a JSON object as the answer */
  async post(path: string, body: object = {}): Promise<Record<string, unknown>> {
    const headers = {
      'content-type': 'application/json',
      ...(this.apiKey === undefined ? {} : { 'TRON-PRO-API-KEY': this.apiKey }),
    };
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
      const response = await fetch(`${this.baseUrl}/${path}`, request);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const answer: unknown = await response.json();
      if (typeof answer !== 'object' || answer === null) throw new Error('no JSON object');
      return answer as Record<string, unknown>;
    } catch (error) {
      throw new TronNodeError(`${path} failed: ${reasonOf(error)}`);
    }
  }
}

/** The cause behind an error of fetch: its own message is only "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
