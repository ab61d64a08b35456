import type { ServerResponse } from 'node:http';
import type { Headers } from './answers';
import type { RecordedResponse, StoredResponse } from './response-store';
import { varyWith } from './send-answer';

export const responseMethods = ['writeHead', 'write', 'end', 'flushHeaders'] as const;
export type ResponseMethod = (typeof responseMethods)[number];
type Method = (...parameters: unknown[]) => unknown;
export type ResponseMethods = Readonly<Record<ResponseMethod, Method>>;

/**
 * Replaces methods of a response and returns the previous ones. They are never restored, because other wrappers may be
 * applied before and after this one.
 */
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
export class ResponseRecord implements RecordedResponse {
  private readonly chunks: (string | Buffer)[] = [];
  byteLength = 0;
  private status: number | undefined;
  private headers: object | undefined;
  private given: unknown[] = [];
  private isTooLong = false;
  private response: ServerResponse | undefined;

  constructor(
    response: ServerResponse,
    /** Longer responses are not stored. */
    private readonly maxBytes: number,
  ) {
    this.response = response;
  }

  add(name: ResponseMethod, parameters: unknown[]): void {
    if (name === 'writeHead') this.addHead(parameters);
    else if (name !== 'flushHeaders') this.addChunk(parameters);
  }

  /**
   * Records the head of the response. Node also calls `writeHead` itself, before lower layers add headers such as
   * Content-Encoding.
   */
  private addHead([status, ...given]: unknown[]): void {
    if (this.headers) return;
    this.status = typeof status === 'number' ? status : this.response!.statusCode;
    this.headers = this.response!.getHeaders();
    this.given = given;
  }

  private addChunk([chunk, encoding]: unknown[]): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const isNamed = typeof encoding === 'string' && Buffer.isEncoding(encoding);
    const isText = typeof chunk === 'string' && (!isNamed || encoding === 'utf8');
    // Copy the bytes, because the caller may change them after the call.
    const copy = isText ? chunk : Buffer.from(chunk as string, isNamed ? encoding : 'utf8');
    this.byteLength += typeof copy === 'string' ? Buffer.byteLength(copy) : copy.length;
    if (this.byteLength <= this.maxBytes) this.chunks.push(copy);
  }

  /** Completes the record and releases the response with its connection. */
  ended(): this {
    const { response } = this;
    if (!response) return this;
    this.headers ??= response.getHeaders();
    this.status ??= response.statusCode;
    this.response = undefined;
    this.isTooLong = this.byteLength > this.maxBytes;
    if (this.isTooLong) this.byteLength = this.chunks.length = 0;
    return this;
  }

  take(): StoredResponse | undefined {
    const { status, headers, given, chunks, isTooLong } = this.ended();
    if (isTooLong) return undefined;
    const body = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string)));
    const all = { ...(headers as StoredResponse['headers']), ...headersIn(given) };
    return { status: status!, headers: storableHeaders(all), body };
  }
}

/** The headers of a call of `writeHead`: an object or a flat array of names and values. */
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
