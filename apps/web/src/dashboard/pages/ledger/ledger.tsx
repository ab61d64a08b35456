import { useQuery } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useChains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { usePages } from '../../api/use-pages';
import { titled } from '../../format/texts';
import { CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { LoadMore } from '../../parts/load-more';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Age } from '../../parts/time';
import { Proof } from './proof';

type Entry = sdk.LedgerEntry;

export default function Ledger() {
  const proof = useQuery({
    queryKey: ['ledger', 'proof'],
    queryFn: () => dataOf(api.GET('/api/ledger/proof')),
  });
  return (
    <Page
      title="Ledger"
      lead="Double-entry bookkeeping of what you received. Each entry carries the hash of the one before it."
      call={{ path: '/api/ledger/entries' }}
    >
      <Card title="Proof" actions={<CurlButton call={{ path: '/api/ledger/proof' }} />}>
        <QueryView query={proof}>{(data) => <Proof proof={data} />}</QueryView>
      </Card>
      <Entries />
    </Page>
  );
}

function Entries() {
  const { data: chains } = useChains();
  const query = usePages({
    key: ['ledger', 'entries'],
    read: (at) => dataOf(api.GET('/api/ledger/entries', { params: { query: { limit: 50, ...at } } })),
    rowsOf: ({ entries }) => entries,
  });
  const columns: Column<Entry>[] = [
    { header: 'Entry', cell: ({ seq, position }) => `${seq}.${position}` },
    { header: 'Kind', cell: ({ kind }) => titled(kind) },
    { header: 'Account', cell: ({ account }) => <code>{account}</code> },
    { header: 'Chain', cell: ({ chain }) => chains?.nameOf(chain) ?? chain },
    { header: 'Reference', cell: ({ reference }) => <CopyText text={reference} kept={9} /> },
    { header: 'Hash', cell: ({ hash }) => <CopyText text={hash} /> },
    { header: 'Time', cell: ({ occurred_at: at }) => <Age at={at} /> },
    {
      header: 'Amount',
      isNumber: true,
      cell: ({ amount, token, chain }) => chains?.amountOf(amount, token, chain) ?? '…',
    },
  ];
  return (
    <Card title="Entries">
      <QueryView query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty
              title="No entries yet"
              text="The first payment that settles writes the first entries: what the payer paid, what you received, and the fee."
            />
          ) : (
            <DataTable
              label="Ledger entries"
              columns={columns}
              rows={entries}
              keyOf={({ seq, position }) => `${seq}.${position}`}
            />
          )
        }
      </QueryView>
      <LoadMore query={query} />
    </Card>
  );
}
