const timeoutMs = 15_000;

/** The node reported an error or gave no usable answer. The outcome of the request is unknown. */
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

  /**
   * Posts to `wallet/…` or `walletsolidity/…`.
   * @throws TronNodeError if the answer is not a JSON object
   */
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

/** Returns the cause of a fetch error, because its own message is only "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}
