import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client';
import { usePages } from '../../api/use-pages';
import { Empty } from '../../parts/empty';
import { SelectField } from '../../parts/field';
import { Narrow } from '../../parts/form';
import { LoadMore } from '../../parts/load-more';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { ExceptionTable, exceptionsKey } from './exception-table';

const states = [
  ['', 'Any'],
  ['open', 'Open'],
  ['resolved', 'Closed'],
] as const;

export default function Exceptions() {
  const filters = useSearch({ from: '/exceptions' });
  const navigate = useNavigate({ from: '/exceptions' });
  const query = usePages({
    key: [exceptionsKey, filters],
    read: (at) => dataOf(api.GET('/api/exceptions', { params: { query: { ...filters, limit: 50, ...at } } })),
    rowsOf: ({ exceptions }) => exceptions,
  });
  const setStatus = (status: string) => void navigate({ search: status ? { status } : {}, replace: true });
  return (
    <Page
      title="Exceptions"
      lead="Payments that differ from what you requested: too little, too much, too late or once too often."
      call={{ path: '/api/exceptions' }}
    >
      <Card title="Payments to look at">
        <Narrow>
          <SelectField label="State" options={states} value={filters['status'] ?? ''} onText={setStatus} />
        </Narrow>
        <QueryView query={query}>
          {(exceptions) =>
            exceptions.length === 0 ? (
              <NoExceptions isFiltered={filters['status'] !== undefined} />
            ) : (
              <ExceptionTable exceptions={exceptions} />
            )
          }
        </QueryView>
        <LoadMore query={query} />
      </Card>
    </Page>
  );
}

const NoExceptions = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No exception has this state" text="Choose another state." />
  ) : (
    <Empty
      title="No exceptions"
      text="Every payment that arrived is the payment that you asked for."
      action={<Link to="/transactions">See the transactions</Link>}
    />
  );
