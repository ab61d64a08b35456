import {
  jsonRpcRequest,
  ProviderClient,
  ProviderError,
  readJsonRpcReply,
  readReply,
  type ProviderErrorKind,
  type Fields,
  parseExactJson,
} from '@tollbridge/http';
import { nodeAccess } from './node-url';

// Error codes of Agave: rpc-client-api/src/custom_error.rs
const codes = {
  blockNotAvailable: -32_004,
  slotSkipped: -32_007,
  storedSlotSkipped: -32_009,
  blockStatusNotAvailableYet: -32_014,
  unsupportedTransactionVersion: -32_015,
  invalidParams: -32_602,
  // Not from Agave: providers return it with HTTP 200 when a limit is exceeded.
  tooManyRequests: -32_429,
} as const;

export type NodeErrorName = keyof typeof codes | 'other';

/** An error that the node returned. The message contains only the code, because messages of nodes quote requests. */
export class NodeError extends ProviderError {
  readonly errorName: NodeErrorName;

  constructor(provider: string, code: number | undefined) {
    const errorName = nameOf(code);
    super(provider, { kind: kindOf(errorName), message: `answered error ${code ?? 'without a code'}` });
    this.errorName = errorName;
  }
}

const timeoutMs = 10_000;
// A page of 1,000 signatures has 300 KB, and the largest transaction with logs and balances has about 100 KB.
const maxReplyBytes = 4 * 1024 * 1024;
// Public nodes allow about 10 connections.
const maxConcurrent = 8;

/** JSON-RPC 2.0 client over HTTP for one node. */
export class JsonRpc {
  private readonly client: ProviderClient;

  constructor(
    readonly provider: string,
    rpcUrl: string,
  ) {
    const { url, headers } = nodeAccess(rpcUrl);
    this.client = new ProviderClient({
      provider,
      baseUrl: url,
      headers,
      timeoutMs,
      maxReplyBytes,
      maxConcurrent,
      parseJson: parseExactJson,
    });
  }

  /**
   * Returns the result, validated field by field.
   * @throws NodeError if the node returns an error; ProviderError for any other failure
   */
  async call<T>(method: string, params: readonly unknown[], read: (result: unknown) => T): Promise<T> {
    const reply = await this.client.request(jsonRpcRequest(method, params)).catch((error: unknown) => {
      throw error instanceof ProviderError && error.kind === 'rejected' ? this.rejection(error) : error;
    });
    const answer = readReply(this.provider, () => readJsonRpcReply(reply, readCode));
    if ('error' in answer) throw new NodeError(this.provider, answer.error);
    return readReply(this.provider, () => read(answer.result));
  }

  /**
   * Some gateways return a node's error with status 400. Without an error in the body, the node rejects every request,
   * for example because of a wrong key.
   */
  private rejection({ body, status }: ProviderError): ProviderError {
    try {
      const answer = readJsonRpcReply(body, readCode);
      if ('error' in answer) return new NodeError(this.provider, answer.error);
    } catch {
      // The body is not an answer of the node.
    }
    return new ProviderError(this.provider, { kind: 'unavailable', message: `answered ${status}` });
  }
}

const readCode = ({ code }: Fields): number | undefined =>
  typeof code === 'bigint' ? Number(code) : undefined;

function nameOf(code: number | undefined): NodeErrorName {
  const found = Object.entries(codes).find(([, value]) => value === code);
  return found ? (found[0] as NodeErrorName) : 'other';
}

/**
 * Classifies an error. Another node may have the data that this node lacks. Only a request that is wrong everywhere is
 * a rejection.
 */
function kindOf(name: NodeErrorName): ProviderErrorKind {
  if (name === 'invalidParams') return 'rejected';
  return name === 'tooManyRequests' ? 'rateLimited' : 'unavailable';
}
