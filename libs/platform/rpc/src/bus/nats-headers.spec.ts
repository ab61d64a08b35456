import fc from 'fast-check';
import { headers as newHeaders, Match, MsgHdrsImpl } from 'nats';
import { publishedHeaders } from './nats-headers';

const { append, set, get, has, encode } = MsgHdrsImpl.prototype;

/** Runs a function with the original methods of the library. */
function asPublished<T>(run: () => T): T {
  Object.assign(MsgHdrsImpl.prototype, publishedHeaders);
  try {
    return run();
  } finally {
    Object.assign(MsgHdrsImpl.prototype, { append, set, get, has, encode });
  }
}

/** Returns the result of a function, or the code of its error. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
}

const name = fc.oneof(
  fc.constantFrom('tb-signature', 'TB-Signature', 'traceparent', '', 'a b', 'a:b', 'ä'),
  fc.string({ maxLength: 8 }),
);
const value = fc.oneof(fc.constantFrom('', ' v1 ', 'a\r\nb: c', 'ä', 'a: b'), fc.string({ maxLength: 12 }));
const match = fc.constantFrom(undefined, Match.Exact, Match.CanonicalMIME, Match.IgnoreCase);
const method = fc.constantFrom(
  'set' as const,
  'append' as const,
  'get' as const,
  'has' as const,
  'delete' as const,
);
const step = fc.record({ method, name, value, match });
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** Returns the results of all steps, and the encoded headers after them. */
function results(steps: readonly Step[]): unknown[] {
  const headers = newHeaders();
  const returned = steps.map(({ method, name: key, value: text, match: by }) =>
    outcomeOf(() =>
      method === 'set' || method === 'append' ? headers[method](key, text, by) : headers[method](key, by),
    ),
  );
  return [...returned, Buffer.from((headers as MsgHdrsImpl).encode()).toString('hex')];
}

const read = (bytes: Uint8Array): unknown =>
  outcomeOf(() => {
    const { code, description, headers } = MsgHdrsImpl.decode(bytes);
    return { code, description, headers: [...headers] };
  });

describe('the faster header methods', () => {
  it('replace the methods of the library', () => {
    expect(append).not.toBe(publishedHeaders.append);
  });

  it('return the results of the library', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        expect(results(steps)).toEqual(asPublished(() => results(steps)));
      }),
    );
  });

  it('parse any input like the library', () => {
    const line = fc.oneof(
      fc.tuple(name, value).map(([key, text]) => `${key}: ${text}`),
      fc.string(),
    );
    const status = fc.constantFrom('NATS/1.0', 'NATS/1.0 503', 'NATS/1.0 100 Idle', 'HTTP/1.1');
    fc.assert(
      fc.property(status, fc.array(line, { maxLength: 6 }), (first, lines) => {
        const bytes = Buffer.from(`${[first, ...lines].join('\r\n')}\r\n\r\n`);
        expect(read(bytes)).toEqual(asPublished(() => read(bytes)));
      }),
    );
  });
});
