import fc from 'fast-check';
import { cursorOf, invalidCursor, pageFactsOf, pageWithNext, readCursor, readPage } from './list-pages';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const encoded = (text: string) => Buffer.from(text).toString('base64url');
const refusal = expect.objectContaining({
  code: 'VALIDATION_ERROR',
  details: [{ field: 'cursor', message: invalidCursor }],
});

describe('the cursor of a list', () => {
  const position = fc.record({ atMs: fc.nat(999_999_999_999_999), id: fc.uuid() });

  it('comes back as it was, and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(position, (given) => {
        const text = cursorOf(given);
        expect(readCursor(text)).toEqual(given);
        expect(encodeURIComponent(text)).toBe(text);
      }),
    );
  });

  it('is the same text from one version to the next: callers keep it', () => {
    const text = 'MTc5NTE3NjAwMDAwMC4wMTk4ZjNhMi03YzVlLTdkNDEtOWE1NS0zZjBlMmMxYjRhNmQ';
    expect(cursorOf({ atMs: 1_795_176_000_000, id })).toBe(text);
  });

  it('has one spelling: any text that is read is the text that is written for it', () => {
    const edited = fc
      .tuple(position, fc.nat(), fc.string({ minLength: 1, maxLength: 2 }))
      .map(([given, at, insert]) => {
        const text = cursorOf(given);
        const index = at % text.length;
        return text.slice(0, index) + insert + text.slice(index);
      });
    fc.assert(
      fc.property(fc.oneof(edited, fc.string(), fc.base64String()), (text) => {
        expect(spellingOf(text)).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is absent before the first page', () => {
    expect(readCursor(undefined)).toBeUndefined();
  });

  it.each([
    ['nothing in it', ''],
    ['no id', encoded('1795176000000')],
    ['a time that is none', encoded(`-1.${id}`)],
    ['a time with a point', encoded(`1.5.${id}`)],
    ['a time that no date holds', encoded(`9999999999999999.${id}`)],
    ['an id in capitals, which is never written', encoded(`1.${id.toUpperCase()}`)],
    ['something after the id', encoded(`1.${id}.1`)],
    ['a line break after the id', encoded(`1.${id}\n`)],
    ['padding', `${encoded(`1.${id}`)}=`],
    ['SQL', encoded(`1.' OR true --`)],
  ])('is refused with %s', (_name, text) => {
    expect(() => readCursor(text)).toThrow(refusal);
  });

  it('may hold ids of another form', () => {
    const words = /^[\x20-\x7e]{1,12}$/;
    const given = { atMs: 7, id: 'order 1.5' };
    expect(readCursor(cursorOf(given), words)).toEqual(given);
    for (const text of [
      'x',
      encoded('1.'),
      encoded('a.b'),
      encoded('1.\0'),
      encoded('1.é'),
      cursorOf({ atMs: 1, id }),
    ])
      expect(() => readCursor(text, words)).toThrow(refusal);
  });
});

/** The text itself where it is refused. */
function spellingOf(text: string): string {
  try {
    return cursorOf(readCursor(text)!);
  } catch {
    return text;
  }
}

describe('a page', () => {
  const list = (length: number) => {
    const all = Array.from({ length }, (_, index) => index + 1);
    return (most: number) => Promise.resolve(all.slice(0, most));
  };

  it.each([
    ['of an empty list is empty, and the last', 0, 2, []],
    ['that holds all there is is the last', 2, 2, [1, 2]],
    ['that holds less ends where the next begins', 3, 2, [1, 2], 'behind 2'],
  ])('%s', async (_name, length, wanted, page, next: string | null = null) => {
    expect(await readPage(wanted, list(length), (last) => `behind ${last}`)).toEqual({
      page,
      limit: wanted,
      next,
    });
  });

  it('is no longer than 100', async () => {
    const { page, limit, next } = await readPage(1_000_000, list(200), String);
    expect([page.length, limit, next]).toEqual([100, 100, '100']);
  });

  it('is as long as the maximum of its list', async () => {
    const { page, limit, next } = await readPage(1_000_000, list(200), String, 150);
    expect([page.length, limit, next]).toEqual([150, 150, '150']);
  });
});

describe('what a reply says of a page', () => {
  it('is kept beside a bare list', () => {
    expect(pageFactsOf(pageWithNext([1], 'c1', 20))).toEqual({ next: 'c1', limit: 20 });
    expect(pageFactsOf(pageWithNext([1], undefined, 20))).toEqual({ next: undefined, limit: 20 });
    expect(pageFactsOf([1])).toBeUndefined();
  });

  it('is read from an object with next_cursor', () => {
    expect(pageFactsOf({ next_cursor: 'c1', limit: 20 })).toEqual({ next: 'c1', limit: 20 });
    expect(pageFactsOf({ next_cursor: null, limit: 20 })).toEqual({ next: undefined, limit: 20 });
  });

  it.each([{ limit: 20 }, null, undefined, 'text', {}])('is nothing for %j', (output) => {
    expect(pageFactsOf(output)).toBeUndefined();
  });
});
