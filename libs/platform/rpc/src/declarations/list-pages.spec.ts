import fc from 'fast-check';
import { cursorOf, invalidCursor, pageFactsOf, pageWithNext, readCursor, readPage } from './list-pages';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const encoded = (text: string) => Buffer.from(text).toString('base64url');
const rejection = expect.objectContaining({
  code: 'VALIDATION_ERROR',
  details: [{ field: 'cursor', message: invalidCursor }],
});

describe('cursorOf and readCursor', () => {
  const position = fc.record({ atMs: fc.nat(999_999_999_999_999), id: fc.uuid() });

  it('round-trip a position, as text that needs no escaping in a URL', () => {
    fc.assert(
      fc.property(position, (given) => {
        const text = cursorOf(given);
        expect(readCursor(text)).toEqual(given);
        expect(encodeURIComponent(text)).toBe(text);
      }),
    );
  });

  it('write the same text in every version, because clients store it', () => {
    const text = 'MTc5NTE3NjAwMDAwMC4wMTk4ZjNhMi03YzVlLTdkNDEtOWE1NS0zZjBlMmMxYjRhNmQ';
    expect(cursorOf({ atMs: 1_795_176_000_000, id })).toBe(text);
  });

  it('accept only one spelling of each position', () => {
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

  it('return undefined without a cursor', () => {
    expect(readCursor(undefined)).toBeUndefined();
  });

  it.each([
    ['no content', ''],
    ['no id', encoded('1795176000000')],
    ['an invalid time', encoded(`-1.${id}`)],
    ['a time with a point', encoded(`1.5.${id}`)],
    ['a time beyond the range of dates', encoded(`9999999999999999.${id}`)],
    ['an id in upper case', encoded(`1.${id.toUpperCase()}`)],
    ['extra text after the id', encoded(`1.${id}.1`)],
    ['a line break after the id', encoded(`1.${id}\n`)],
    ['padding', `${encoded(`1.${id}`)}=`],
    ['SQL', encoded(`1.' OR true --`)],
  ])('reject a cursor with %s', (_name, text) => {
    expect(() => readCursor(text)).toThrow(rejection);
  });

  it('support ids in another format', () => {
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
      expect(() => readCursor(text, words)).toThrow(rejection);
  });
});

/** Returns the canonical spelling of a cursor, or the text itself if it is invalid. */
function spellingOf(text: string): string {
  try {
    return cursorOf(readCursor(text)!);
  } catch {
    return text;
  }
}

describe('readPage', () => {
  const list = (length: number) => {
    const all = Array.from({ length }, (_, index) => index + 1);
    return (most: number) => Promise.resolve(all.slice(0, most));
  };

  it.each([
    ['returns an empty last page of an empty list', 0, 2, []],
    ['returns no next cursor when the page holds all items', 2, 2, [1, 2]],
    ['returns the cursor of the next page when there are more items', 3, 2, [1, 2], 'behind 2'],
  ])('%s', async (_name, length, wanted, page, next: string | null = null) => {
    expect(await readPage(wanted, list(length), (last) => `behind ${last}`)).toEqual({
      page,
      limit: wanted,
      next,
    });
  });

  it('limits a page to 100 items', async () => {
    const { page, limit, next } = await readPage(1_000_000, list(200), String);
    expect([page.length, limit, next]).toEqual([100, 100, '100']);
  });

  it('limits a page to the maximum of its list', async () => {
    const { page, limit, next } = await readPage(1_000_000, list(200), String, 150);
    expect([page.length, limit, next]).toEqual([150, 150, '150']);
  });
});

describe('pageFactsOf', () => {
  it('returns the facts that pageWithNext attached to a list', () => {
    expect(pageFactsOf(pageWithNext([1], 'c1', 20))).toEqual({ next: 'c1', limit: 20 });
    expect(pageFactsOf(pageWithNext([1], undefined, 20))).toEqual({ next: undefined, limit: 20 });
    expect(pageFactsOf([1])).toBeUndefined();
  });

  it('reads next_cursor and limit of an object', () => {
    expect(pageFactsOf({ next_cursor: 'c1', limit: 20 })).toEqual({ next: 'c1', limit: 20 });
    expect(pageFactsOf({ next_cursor: null, limit: 20 })).toEqual({ next: undefined, limit: 20 });
  });

  it.each([{ limit: 20 }, null, undefined, 'text', {}])('returns undefined for %j', (output) => {
    expect(pageFactsOf(output)).toBeUndefined();
  });
});
