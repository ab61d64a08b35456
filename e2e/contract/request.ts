import { isWalletAuth, type Operation } from '@tollbridge/rpc';
import { Agent, request as httpRequest } from 'node:http';
import { operations } from '../http';

export type Json = Record<string, any>;

/** An operation in the served document, with its declaration. */
export interface Documented {
  id: string;
  method: string;
  path: string;
  operation: Operation;
  parameters: Json[];
  body: Json | undefined;
  responses: Json;
}

/** A request before it is encoded: `raw` replaces the JSON of `body`. */
export interface Call {
  path: Json;
  query: Json;
  headers: Record<string, string>;
  body?: any;
  raw?: Buffer | string;
  /** Replaces each field of the path, without encoding. */
  rawPath?: string;
  /** Appended to the path and query, without encoding. */
  suffix?: string;
  /** Additional header lines, also with the names of other headers. */
  extraHeaders?: readonly (readonly [string, string])[];
}

export interface Answer {
  status: number;
  text: string;
  body: any;
  headers: Record<string, string | string[] | undefined>;
}

export function documentedOperations(document: Json): Documented[] {
  return operations.map((operation) => {
    const { method, path } = operation;
    const described = document['paths'][path][method.toLowerCase()];
    return {
      id: described.operationId,
      method,
      path,
      operation,
      responses: described.responses,
      // Headers are credentials and Idempotency-Key, which each case sends itself.
      parameters: (described.parameters ?? []).filter(({ in: place }: Json) => place !== 'header'),
      body: described.requestBody?.content['application/json'],
    };
  });
}

/** The documented example, verbatim. */
export function exampleCall({ parameters, body }: Documented): Call {
  const call: Call = { path: {}, query: {}, headers: {} };
  for (const { name, in: place, example } of parameters)
    if (example !== undefined) (place === 'path' ? call.path : call.query)[name] = example;
  if (body) call.body = structuredClone(body['example']);
  return call;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export const closeConnections = (): void => agent.destroy();

/** Credentials of the demo merchant for an operation: the key, or the wallet for operations without keys. */
export function credentials(
  { operation }: Documented,
  merchant: { secret: string; wallet: string },
): Record<string, string> {
  return isWalletAuth(operation.auth)
    ? { 'x-wallet': merchant.wallet }
    : { authorization: `Bearer ${merchant.secret}` };
}

export function urlOf({ path }: Documented, call: Call): string {
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => call.rawPath ?? encodeURIComponent(String(call.path[name])),
  );
  const query = Object.entries(call.query)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one]))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}${call.suffix ?? ''}`;
}

export function send(gateway: string, documented: Documented, call: Call): Promise<Answer> {
  const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const { hostname, port, host } = new URL(gateway);
  const headers = Object.entries({
    host,
    connection: 'keep-alive',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...call.headers,
  });
  const lines = [...headers, ...(call.extraHeaders ?? [])].flat();
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { agent, hostname, port, method: documented.method, path: urlOf(documented, call), headers: lines },
      (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => parts.push(part));
        reply.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: reply.statusCode!, text, body: parsed(text), headers: reply.headers });
        });
        reply.on('error', reject);
      },
    );
    // The gateway may close the connection during a rejected body: an earlier response counts.
    request.on('error', reject);
    request.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The value at a JSON pointer. */
export const at = (value: any, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((part, name) => part?.[name], value);

/** Sets the field `a/0/b` of a body. */
export function put(body: Json, field: string, value: unknown): void {
  const names = field.split('/');
  const last = names.pop()!;
  const place = names.reduce((part: any, name) => (part[name] ??= {}), body);
  place[last] = value;
}
