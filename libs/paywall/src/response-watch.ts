import type { ServerResponse } from 'node:http';
import type { Grant } from './grant';
import type { StoredResponse } from './response-store';

/** Longer answers are not kept for buyers who repeat their calls. */
const maxKeptBytes = 64 * 1024;

type Name = 'writeHead' | 'write' | 'end' | 'flushHeaders';
const names: readonly Name[] = ['writeHead', 'write', 'end', 'flushHeaders'];
type Method = (...parameters: unknown[]) => unknown;

/**
 * Adds the headers of a grant to a response, and looks at what the handler makes of it. At the first sign of an answer that
 * gives the payment back, all that is written waits until that has happened, and is told with it. It works below frameworks,
 * so that it sees what their error handlers and filters answer.
 */
export function watchResponse(response: ServerResponse, grant: Grant): void {
  for (const [name, value] of Object.entries(grant.headers)) response.setHeader(name, value);
  const own = response as unknown as Record<Name, Method | undefined>;
  const restore = (): void => names.forEach((name) => delete own[name]);
  for (const name of names) {
    own[name] = (...parameters) => {
      restore();
      const status = statusIn(name, parameters) ?? response.statusCode;
      if (grant.isRefunded(status)) holdBack(response, grant);
      else if (grant.keepsResponse) record(response, grant);
      return (own[name] as Method).apply(response, parameters);
    };
  }
}

function statusIn(name: Name, [status]: unknown[]): number | undefined {
  return name === 'writeHead' && typeof status === 'number' ? status : undefined;
}

/** Keeps the calls until the payment has been given back, then makes them. */
function holdBack(response: ServerResponse, grant: Grant): void {
  const own = response as unknown as Record<Name, Method | undefined>;
  const calls: [Name, unknown[]][] = [];
  for (const name of names) {
    own[name] = (...parameters) => {
      calls.push([name, parameters]);
      // As of a full buffer: whoever pipes waits for `drain`.
      return name === 'write' ? false : response;
    };
  }
  void grant.refund().then((headers) => {
    names.forEach((name) => delete own[name]);
    if (response.destroyed) return;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    for (const [name, parameters] of calls) (own[name] as Method).apply(response, parameters);
    if (!response.writableEnded && !response.writableNeedDrain) response.emit('drain');
  });
}

/** Copies an answer while it is written, and keeps it when it has ended. */
function record(response: ServerResponse, grant: Grant): void {
  const own = response as unknown as Record<Name, Method | undefined>;
  const chunks: Buffer[] = [];
  let byteLength = 0;
  let written: Record<string, string | string[]> = {};
  const copy = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const isNamed = typeof encoding === 'string' && Buffer.isEncoding(encoding);
    const bytes = Buffer.from(chunk as string, isNamed ? encoding : 'utf8');
    byteLength += bytes.length;
    if (byteLength <= maxKeptBytes) chunks.push(bytes);
  };
  const instead = (name: Name, before: (parameters: unknown[]) => void): void => {
    own[name] = (...parameters) => {
      before(parameters);
      delete own[name];
      const result = (own[name] as Method).apply(response, parameters);
      if (name === 'write') instead(name, before);
      return result;
    };
  };
  instead('writeHead', ([, ...rest]) => (written = headersIn(rest)));
  instead('write', ([chunk, encoding]) => copy(chunk, encoding));
  instead('end', ([chunk, encoding]) => {
    copy(chunk, encoding);
    names.forEach((name) => delete own[name]);
    const headers = { ...(response.getHeaders() as StoredResponse['headers']), ...written };
    const kept = { status: response.statusCode, headers: keptHeaders(headers), body: Buffer.concat(chunks) };
    grant.keep(byteLength <= maxKeptBytes ? kept : undefined);
  });
}

/** Of the call, in which they may stand as an object or as a flat list. */
function headersIn(parameters: unknown[]): StoredResponse['headers'] {
  const given = parameters.find((parameter) => typeof parameter === 'object' && parameter !== null);
  if (!Array.isArray(given)) return { ...(given as StoredResponse['headers'] | undefined) };
  const headers: StoredResponse['headers'] = {};
  for (let at = 0; at + 1 < given.length; at += 2) headers[String(given[at])] = given[at + 1] as string;
  return headers;
}

const ofTheConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

function keptHeaders(headers: StoredResponse['headers']): StoredResponse['headers'] {
  const kept: StoredResponse['headers'] = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!ofTheConnection.has(name.toLowerCase()) && value !== undefined) kept[name.toLowerCase()] = value;
  }
  return kept;
}
