import { OversizedReply } from '@tollbridge/http';
import { RangeLimit } from '@tollbridge/chain-nodes';
import { readPages } from './pages';

/** Items from 1 to `count`. A page contains at most `fits` items. */
function listOf(count: number, fits: number) {
  const asked: number[] = [];
  const readPage = async (last: number | undefined, size: number): Promise<number[]> => {
    asked.push(size);
    const from = (last ?? 0) + 1;
    const page = Array.from({ length: Math.max(0, Math.min(size, count - from + 1)) }, (_, at) => from + at);
    if (page.length > fits) throw new OversizedReply('node');
    return page;
  };
  return { readPage, asked };
}
const ranges = new RangeLimit();
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('readPages', () => {
  it('reads a page that fits with one request', async () => {
    const { readPage, asked } = listOf(5, 1_000);
    expect(await readPages({ limit: 1_000, pageSize: 1_000, isShortLast: true, ranges }, readPage)).toEqual(
      upTo(5),
    );
    expect(asked).toEqual([1_000]);
  });

  it('reads smaller pages after a reply that is too large', async () => {
    const { readPage, asked } = listOf(70, 20);
    expect(await readPages({ limit: 1_000, pageSize: 1_000, isShortLast: true, ranges }, readPage)).toEqual(
      upTo(70),
    );
    expect(asked).toEqual([1_000, 125, 16, 16, 16, 16, 16]);
  });

  it('stops at the limit', async () => {
    const { readPage } = listOf(70, 20);
    expect(await readPages({ limit: 33, pageSize: 33, isShortLast: true, ranges }, readPage)).toEqual(
      upTo(33),
    );
  });

  it('continues after a short page if only an empty page is the last', async () => {
    const { readPage } = listOf(7, 3);
    const short = async (last: number | undefined) => readPage(last, 3);
    expect(await readPages({ limit: 100, pageSize: 32, isShortLast: false, ranges }, short)).toEqual(upTo(7));
  });

  it('rejects a single item that is too large', async () => {
    const { readPage } = listOf(3, 0);
    const read = readPages({ limit: 10, pageSize: 10, isShortLast: true, ranges }, readPage);
    await expect(read).rejects.toMatchObject({ kind: 'badReply' });
  });
});
