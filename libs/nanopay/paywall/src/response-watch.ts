import type { ServerResponse } from 'node:http';
import type { Grant } from './grant';
import type { RecordedResponse, StoredResponse } from './response-store';
import { varyWith } from './send-answer';

/** Longer responses are not stored for retries. */
const maxStoredBytes = 64 * 1024;

const names = ['writeHead', 'write', 'end', 'flushHeaders'] as const;
type Name = (typeof names)[number];
type Method = (...parameters: unknown[]) => unknown;

/**
 * Adds the headers of a grant to a response. A response that is refunded waits until the refund has its result, and reports
 * it. This works below the framework, so responses of its error handlers and filters are included.
 */
export function watchResponse(response: ServerResponse, grant: Grant): void {
  setHeaders(response, grant.headers);
  const watch = new ResponseWatch(response, grant);
  const own = response as unknown as Record<Name, Method>;
  // Never restored: other wrappers of these methods may come before and after this one.
  for (const name of names) own[name] = (...parameters) => watch.on(name, parameters);
  if (grant.keepsResponse) releaseWhenDestroyed(response, grant);
}

/** Ended by the handler: if the client disconnects, the response is still stored. */
function releaseWhenDestroyed(response: ServerResponse, grant: Grant): void {
  const { destroy } = response;
  response.destroy = (error) => {
    if (!response.writableEnded) grant.release();
    return destroy.call(response, error);
  };
}

function setHeaders(response: ServerResponse, headers: Grant['headers']): void {
  const vary = varyWith(response.getHeader('vary'));
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (vary !== undefined) response.setHeader('Vary', vary);
}

class ResponseWatch {
  private readonly below: Readonly<Record<Name, Method>>;
  /** Set from the first call on. */
  private state: 'passed' | 'held' | 'recorded' | undefined;
  private readonly held: [Name, unknown[]][] = [];
  private readonly record: ResponseRecord;

  constructor(
    private readonly response: ServerResponse,
    private readonly grant: Grant,
  ) {
    const own = response as unknown as Record<Name, Method>;
    this.below = { writeHead: own.writeHead, write: own.write, end: own.end, flushHeaders: own.flushHeaders };
    this.record = new ResponseRecord(response);
  }

  on(name: Name, parameters: unknown[]): unknown {
    this.state ??= this.begin(name, parameters);
    if (this.state === 'held') {
      this.held.push([name, parameters]);
      // Like a full buffer: a pipe waits for `drain`.
      return name === 'write' ? false : this.response;
    }
    if (this.state === 'passed') return this.call(name, parameters);
    this.record.add(name, parameters);
    const result = this.call(name, parameters);
    if (name === 'end') this.grant.keepRecord(this.record.ended());
    return result;
  }

  private begin(name: Name, [status]: unknown[]): 'passed' | 'held' | 'recorded' {
    const sentStatus = name === 'writeHead' && typeof status === 'number' ? status : this.response.statusCode;
    if (!this.grant.isRefunded(sentStatus)) return this.grant.keepsResponse ? 'recorded' : 'passed';
    void this.grant.refund().then((headers) => this.release(headers));
    return 'held';
  }

  private release(headers: Grant['headers']): void {
    this.state = 'passed';
    const { response } = this;
    if (response.destroyed) return;
    setHeaders(response, headers);
    for (const [name, parameters] of this.held) this.call(name, parameters);
    if (!response.writableEnded && !response.writableNeedDrain) response.emit('drain');
  }

  private call(name: Name, parameters: unknown[]): unknown {
    return this.below[name].apply(this.response, parameters);
  }
}

/** Copies a response while it is written. */
class ResponseRecord implements RecordedResponse {
  private readonly chunks: (string | Buffer)[] = [];
  byteLength = 0;
  private status: number | undefined;
  private headers: object | undefined;
  private given: unknown[] = [];
  private isTooLong = false;
  private response: ServerResponse | undefined;

  constructor(response: ServerResponse) {
    this.response = response;
  }

  add(name: Name, parameters: unknown[]): void {
    if (name === 'writeHead') this.addHead(parameters);
    else if (name !== 'flushHeaders') this.addChunk(parameters);
  }

  /** Node calls it too, before layers below add headers such as Content-Encoding. */
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
    // Bytes may be changed after the call.
    const copy = isText ? chunk : Buffer.from(chunk as string, isNamed ? encoding : 'utf8');
    this.byteLength += typeof copy === 'string' ? Buffer.byteLength(copy) : copy.length;
    if (this.byteLength <= maxStoredBytes) this.chunks.push(copy);
  }

  /** Does not hold on to the response and its connection any more. */
  ended(): this {
    const { response } = this;
    if (!response) return this;
    this.headers ??= response.getHeaders();
    this.status ??= response.statusCode;
    this.response = undefined;
    this.isTooLong = this.byteLength > maxStoredBytes;
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
