import { useInfiniteQuery } from '@tanstack/react-query';
import { refreshMs } from './query-client';

interface PagesOptions<Page, Row> {
  key: readonly unknown[];
  /** Reads the page at a cursor, or the first page without a cursor. */
  read: (position: { cursor?: string }) => Promise<Page>;
  rowsOf: (page: Page) => readonly Row[];
}

/** Each page is a request, so a long list is read less often. */
export const intervalOf = ({
  state,
}: {
  state: { data?: { pages: readonly unknown[] } | undefined };
}): number => refreshMs * Math.max(1, state.data?.pages.length ?? 1);

/** A list that is read page by page. `data` contains the rows of all pages so far. */
export function usePages<Page extends { next_cursor: string | null }, Row>({
  key,
  read,
  rowsOf,
}: PagesOptions<Page, Row>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam: cursor }) => read(cursor === undefined ? {} : { cursor }),
    initialPageParam: undefined as string | undefined,
    refetchInterval: intervalOf,
    getNextPageParam: ({ next_cursor: next }: Page) => next ?? undefined,
  });
  return { ...query, data: query.data?.pages.flatMap(rowsOf) };
}
