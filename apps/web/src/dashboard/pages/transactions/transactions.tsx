import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { api, nextCursorOf, replyOf } from '../../api/client';
import { intervalOf } from '../../api/use-pages';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { LoadMore } from '../../parts/load-more';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { useNotify } from '../../parts/toasts';
import { downloadCsv } from './download-csv';
import { Filters } from './filters';
import { TransactionTable } from './transaction-table';

type Transaction = sdk.TransactionRecord;
type Query = NonNullable<Parameters<typeof listPage>[0]>;

const pageSize = 50;

// The gateway validates the filters, and returns an error for an invalid one in the URL.
const listPage = (filters: Record<string, string>, cursor?: string) =>
  replyOf(
    api.GET('/api/transactions', {
      params: { query: { ...filters, limit: pageSize, ...(cursor && { cursor }) } },
    }),
  );

export default function Transactions() {
  const filters = useSearch({ from: '/transactions' });
  const navigate = useNavigate({ from: '/transactions' });
  const query = useInfiniteQuery({
    queryKey: ['transactions', 'list', filters],
    queryFn: ({ pageParam }) => listPage(filters, pageParam),
    initialPageParam: undefined as string | undefined,
    refetchInterval: intervalOf,
    getNextPageParam: ({ headers }) => nextCursorOf(headers),
  });
  // Other filters may have changed during the pause before the search.
  const onSearch = (q: string) =>
    void navigate({
      search: ({ q: _former, ...others }: Record<string, string>) => (q === '' ? others : { ...others, q }),
      replace: true,
    });
  const path = `/api/transactions?${new URLSearchParams(filters)}`;
  return (
    <Page
      title="Transactions"
      lead="Every payment and refund, newest first."
      call={{ path }}
      actions={<CsvButton filters={filters} />}
    >
      <Card>
        <Filters
          filters={filters}
          onChange={(search) => void navigate({ search, replace: true })}
          onSearch={onSearch}
        />
        <QueryView query={{ ...query, data: query.data?.pages.flatMap(({ data }) => data) }}>
          {(rows) => <Rows rows={rows} isFiltered={Object.keys(filters).length > 0} />}
        </QueryView>
        <LoadMore query={query} />
      </Card>
    </Page>
  );
}

function Rows({ rows, isFiltered }: { rows: Transaction[]; isFiltered: boolean }) {
  if (rows.length > 0) return <TransactionTable rows={rows} />;
  return isFiltered ? (
    <Empty title="No transaction matches" text="Change the filters, or clear them." />
  ) : (
    <Empty
      title="No transactions yet"
      text="A transaction appears when a payer pays one of your PayLinks, payment requests or orders."
      action={<Link to="/paylinks">Create a PayLink</Link>}
    />
  );
}

function CsvButton({ filters }: { filters: Query }) {
  const notify = useNotify();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    await downloadCsv(filters).catch((error: Error) => notify(error.message));
    setBusy(false);
  };
  return (
    <Button isBusy={isBusy} onClick={() => void download()}>
      Export CSV
    </Button>
  );
}
