import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { usePages } from '../../api/use-pages';
import { plural } from '../../format/texts';
import { useWallet } from '../../session/session';
import { Badge } from '../../parts/badge';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { SelectField } from '../../parts/field';
import { Narrow } from '../../parts/form';
import { LoadMore } from '../../parts/load-more';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Age } from '../../parts/time';
import { payoutsKey } from './payouts-query';

type Payout = sdk.PayoutSummary;

const states = [
  ['', 'Any'],
  ['awaiting_approval', 'Awaiting approval'],
  ['sending', 'Sending'],
  ['completed', 'Completed'],
  ['partly_paid', 'Partly paid'],
  ['failed', 'Failed'],
  ['rejected', 'Rejected'],
  ['expired', 'Expired'],
] as const;

export default function Payouts() {
  const wallet = useWallet();
  const filters = useSearch({ from: '/payouts' });
  const navigate = useNavigate({ from: '/payouts' });
  const query = usePages({
    key: [...payoutsKey, 'list', filters],
    // The gateway validates the filter, and returns an error for an invalid one in the URL.
    read: (at) => dataOf(api.GET('/payout', { params: { query: { ...filters, limit: 50, ...at } } })),
    rowsOf: ({ payouts }) => payouts,
  });
  const setState = (state: string) => void navigate({ search: state ? { state } : {}, replace: true });
  return (
    <Page
      title="Payouts"
      lead="Payments to many recipients. A program submits the list with a key; you compare it here, sign it with the wallet, and approve it."
      call={{ method: 'POST', path: '/payout/batch', body: exampleOf(wallet) }}
    >
      <Card>
        <Narrow>
          <SelectField label="State" options={states} value={filters['state'] ?? ''} onText={setState} />
        </Narrow>
        <QueryView query={query}>
          {(payouts) =>
            payouts.length === 0 ? (
              <NoPayouts isFiltered={filters['state'] !== undefined} />
            ) : (
              <PayoutTable payouts={payouts} />
            )
          }
        </QueryView>
        <LoadMore query={query} />
      </Card>
    </Page>
  );
}

function PayoutTable({ payouts }: { payouts: readonly Payout[] }) {
  const { data: chains } = useChains();
  const amountOf = (atomic: string, { token, chain }: Payout) =>
    chains?.amountOf(atomic, token, chain) ?? '…';
  const columns: Column<Payout>[] = [
    {
      header: 'Payout',
      cell: ({ payoutId: id, recipientCount }) => (
        <Link to="/payouts/$id" params={{ id }}>
          To {plural(recipientCount, 'recipient')}
        </Link>
      ),
    },
    {
      header: 'State',
      cell: ({ state }) => <Badge state={state ?? 'pending'} text={state ? undefined : 'Recorded'} />,
    },
    { header: 'Chain', cell: ({ chain }) => chains?.nameOf(chain) ?? chain },
    { header: 'Created', cell: ({ createdAt: at }) => <Age at={at} /> },
    { header: 'Fee', isNumber: true, cell: (row) => amountOf(row.feeAtomic, row) },
    { header: 'Amount', isNumber: true, cell: (row) => amountOf(row.totalAmountAtomic, row) },
  ];
  return <DataTable label="Payouts" columns={columns} rows={payouts} keyOf={({ payoutId: id }) => id} />;
}

const NoPayouts = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No payout has this state" text="Choose another state." />
  ) : (
    <Empty
      title="No payouts yet"
      text="Give a program a key with write. It submits the list by POST /payout/batch, as the command above shows; then check here who gets what, and approve or reject it."
      action={<Link to="/keys">Create a key</Link>}
    />
  );

const exampleOf = (wallet: string): object => ({
  wallet,
  chain: 'base',
  token: 'USDC',
  recipients: [{ address: '0x…', amount: 12.5 }],
});
