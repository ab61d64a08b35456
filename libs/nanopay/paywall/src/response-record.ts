import type { ServerResponse } from 'node:http';
import type { Headers } from './answers';
import type { StoredResponse } from './response-store';
import { varyWith } from './send-answer';

export const responseMethods = ['writeHead', 'write', 'end', 'flushHeaders'] as const;
export type ResponseMethod = (typeof responseMethods)[number];
type Method = (...parameters: unknown[]) => unknown;
export type ResponseMethods = Readonly<Record<ResponseMethod, Method>>;

/** The methods below those that `replace` puts in their place. Never restored: other wrappers may come before and after. */
export function interceptResponse(
  response: ServerResponse,
  replace: (name: ResponseMethod, parameters: unknown[]) => unknown,
): ResponseMethods {
  const own = response as unknown as Record<ResponseMethod, Method>;
  const below = { writeHead: own.writeHead, write: own.write, end: own.end, flushHeaders: own.flushHeaders };
  for (const name of responseMethods) own[name] = (...parameters) => replace(name, parameters);
  return below;
}

export function setResponseHeaders(response: ServerResponse, headers: Headers): void {
  const vary = varyWith(response.getHeader('vary'));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (vary !== undefined) response.setHeader('Vary', vary);
}

/** Copies a response while it is written. */
export class ResponseRecord {
  private readonly chunks: Buffer[] = [];
  private byteLength = 0;
  private status: number | undefined;
  private headers: StoredResponse['headers'] | undefined;

  constructor(
    private readonly response: ServerResponse,
    /** Longer responses are not stored. */
    private readonly maxBytes: number,
  ) {}

  add(name: ResponseMethod, parameters: unknown[]): void {
    if (name === 'writeHead') this.addHead(parameters);
    else if (name !== 'flushHeaders') this.addChunk(parameters);
  }

  /** Node calls it too, before layers below add headers such as Content-Encoding. */
  private addHead([status, ...rest]: unknown[]): void {
    if (this.headers) return;
    this.status = typeof status === 'number' ? status : this.response.statusCode;
    this.headers = { ...this.headersNow(), ...headersIn(rest) };
  }

  private addChunk([chunk, encoding]: unknown[]): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const isNamed = typeof encoding === 'string' && Buffer.isEncoding(encoding);
    const bytes = Buffer.from(chunk as string, isNamed ? encoding : 'utf8');
    this.byteLength += bytes.length;
    if (this.byteLength <= this.maxBytes) this.chunks.push(bytes);
  }

  /** Undefined if it was too long. */
  take(): StoredResponse | undefined {
    if (this.byteLength > this.maxBytes) return undefined;
    const headers = this.headers ?? this.headersNow();
    const status = this.status ?? this.response.statusCode;
    return { status, headers: storableHeaders(headers), body: Buffer.concat(this.chunks) };
  }

  private headersNow = (): StoredResponse['headers'] => ({
    ...(this.response.getHeaders() as StoredResponse['headers']),
  });
}

/** The headers in a call of `writeHead`: an object or a flat list. */
function headersIn(parameters: unknown[]): StoredResponse['headers'] {
  const given = parameters.find((parameter) => typeof parameter === 'object' && parameter !== null);
  if (!Array.isArray(given)) return { ...(given as StoredResponse['headers'] | undefined) };
  const headers: StoredResponse['headers'] = {};
  for (let at = 0; at + 1 < given.length; at += 2) headers[String(given[at])] = given[at + 1] as string;
  return headers;
}

const ofTheConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

function storableHeaders(headers: StoredResponse['headers']): StoredResponse['headers'] {
  const storable: StoredResponse['headers'] = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!ofTheConnection.has(name.toLowerCase()) && value !== undefined) storable[name.toLowerCase()] = value;
  }
  return storable;
}
