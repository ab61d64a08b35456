import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { HttpReply, SeenRequest } from '@tollbridge/testing';
import { stringify } from 'lossless-json';
import type { SourceKind } from '../sources/source-kinds';
import { parseExactJson } from '@tollbridge/http';

export interface RecordedExchange {
  request: { method: string; path: string; query?: Record<string, string>; body?: Record<string, unknown> };
  status?: number;
  reply: unknown;
  /** True for a request that is sent only in some cases. */
  isOptional?: boolean;
}

export interface ExpectedHoldings {
  [symbol: string]: { amount: string; locked: string };
}

/** Recorded requests and replies of one protocol, and the expected balances. */
export interface Recording {
  source: string;
  chain: string;
  kind: SourceKind;
  address: string;
  exchanges: RecordedExchange[];
  expected: ExpectedHoldings;
  /** Fields that may have other values in a valid reply. */
  mayDiffer?: string[];
  /** Fields that the protocol omits for zero. */
  mayBeMissing?: string[];
  /** The replies for an unused account. */
  unfunded: { exchanges: RecordedExchange[]; expected: ExpectedHoldings };
}

const folder = join(__dirname, 'recorded');

export const recordings = readdirSync(folder).map(
  (name) => parseExactJson(readFileSync(join(folder, name), 'utf8')) as Recording,
);

export function recordingOf(kind: SourceKind): Recording {
  return recordings.find((recording) => recording.kind === kind)!;
}

/** Replays recorded replies, and returns 418 for other requests. */
export function answersOf(exchanges: readonly RecordedExchange[]): (request: SeenRequest) => HttpReply {
  return (request) => {
    const exchange = exchanges.find((candidate) => isAskedBy(candidate.request, request));
    if (!exchange) return { status: 418, body: 'not recorded' };
    const { status = 200n, reply } = exchange;
    const headers = { 'content-type': 'application/json' };
    return { status: Number(status), headers, body: stringify(withIdOf(request, reply)) ?? '' };
  };
}

function isAskedBy(
  recorded: RecordedExchange['request'],
  { method, path, query, body }: SeenRequest,
): boolean {
  return (
    recorded.method === method &&
    recorded.path === path &&
    isDeepStrictEqual(recorded.query ?? {}, Object.fromEntries(query)) &&
    isDeepStrictEqual(withoutId(recorded.body), withoutId(jsonOf(body)))
  );
}

const jsonOf = (body: string): unknown => (body === '' ? undefined : parseExactJson(body));

function withoutId(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'id'));
}

/** Adds the id of the request to a JSON-RPC reply. */
function withIdOf(request: SeenRequest, reply: unknown): unknown {
  const isRpc = typeof reply === 'object' && reply !== null && 'jsonrpc' in reply;
  return isRpc ? { ...reply, id: (jsonOf(request.body) as { id: unknown }).id } : reply;
}
