import { useInfiniteQuery } from '@tanstack/react-query';

interface PagesOptions<Page, Row> {
  key: readonly unknown[];
  /** Reads the page at a cursor; the first page without one. */
  read: (position: { cursor?: string }) => Promise<Page>;
  rowsOf: (page: Page) => readonly Row[];
}

/** A list that is read page by page. `data` has the rows of all pages that were read. */
export function usePages<Page extends { next_cursor: string | null }, Row>({
  key,
  read,
  rowsOf,
}: PagesOptions<Page, Row>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam: cursor }) => read(cursor === undefined ? {} : { cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }: Page) => next ?? undefined,
  });
  return { ...query, data: query.data?.pages.flatMap(rowsOf) };
}
