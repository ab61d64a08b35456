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

// Codes of Agave: rpc-client-api/src/custom_error.rs
const codes = {
  blockNotAvailable: -32_004,
  slotSkipped: -32_007,
  storedSlotSkipped: -32_009,
  blockStatusNotAvailableYet: -32_014,
  unsupportedTransactionVersion: -32_015,
  invalidParams: -32_602,
  // Not of Agave: providers answer it with HTTP 200 when a limit is exceeded.
  tooManyRequests: -32_429,
} as const;

export type NodeErrorName = keyof typeof codes | 'other';

/** The node answered with an error of its own. Shows the code only: messages quote requests. */
export class NodeError extends ProviderError {
  readonly errorName: NodeErrorName;

  constructor(provider: string, code: number | undefined) {
    const errorName = nameOf(code);
    super(provider, { kind: kindOf(errorName), message: `answered error ${code ?? 'without a code'}` });
    this.errorName = errorName;
  }
}

const timeoutMs = 10_000;
// A page of 1,000 signatures has 300 KB; the largest transaction with its logs and balances some 100 KB.
const maxReplyBytes = 4 * 1024 * 1024;
// Public nodes allow some 10 connections.
const maxConcurrent = 8;

/** JSON-RPC 2.0 over HTTP to one node. */
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
   * The result, read field by field.
   * @throws NodeError where the node answers with an error; ProviderError for all other failures
   */
  async call<T>(method: string, params: readonly unknown[], read: (result: unknown) => T): Promise<T> {
    const reply = await this.client.request(jsonRpcRequest(method, params)).catch((error: unknown) => {
      throw error instanceof ProviderError && error.kind === 'rejected' ? this.rejection(error) : error;
    });
    const answer = readReply(this.provider, () => readJsonRpcReply(reply, readCode));
    if ('error' in answer) throw new NodeError(this.provider, answer.error);
    return readReply(this.provider, () => read(answer.result));
  }

  /** Some gateways answer a node's error with status 400. Without one, this node rejects every request: a wrong key. */
  private rejection({ body, status }: ProviderError): ProviderError {
    try {
      const answer = readJsonRpcReply(body, readCode);
      if ('error' in answer) return new NodeError(this.provider, answer.error);
    } catch {
      // The answer is not the node's.
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

/** Another node may know what this one lacks; only a request that is wrong everywhere is a rejection. */
function kindOf(name: NodeErrorName): ProviderErrorKind {
  if (name === 'invalidParams') return 'rejected';
  return name === 'tooManyRequests' ? 'rateLimited' : 'unavailable';
}
