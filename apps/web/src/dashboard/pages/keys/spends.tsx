import { useQuery } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { api, dataOf } from '../../api/client';
import { formatUsd } from '../../format/amounts';
import { titled } from '../../format/texts';
import { Badge } from '../../parts/badge';
import { CurlButton } from '../../parts/curl-button';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { Row } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Age } from '../../parts/time';
import { useWallet } from '../../session/session';

type Spend = sdk.SpendView;

const columns: Column<Spend>[] = [
  { header: 'Spend', cell: ({ kind, description }) => description || titled(kind) },
  { header: 'State', cell: ({ status }) => <Badge state={status} /> },
  { header: 'Time', cell: ({ reservedAt: at }) => <Age at={at} /> },
  { header: 'Value', isNumber: true, cell: ({ valueUsd: value }) => formatUsd(value) },
];

/** The newest hundred spends of a key. */
export function Spends({ id }: { id: string }) {
  const wallet = useWallet();
  const query = useQuery({
    queryKey: ['keys', id, 'spends'],
    queryFn: () =>
      dataOf(
        api.GET('/api/keys/{id}/spends', {
          params: { path: { id }, header: { 'x-wallet': wallet }, query: { limit: 100 } },
        }),
      ),
  });
  return (
    <>
      <QueryView query={query}>
        {({ spends }) =>
          spends.length === 0 ? (
            <Empty
              title="Nothing spent"
              text="Orders, swaps, purchases and payouts that the secret of the key makes are listed here."
            />
          ) : (
            <DataTable
              label="Spends"
              columns={columns}
              rows={spends}
              keyOf={({ kind, reference }) => `${kind}:${reference}`}
            />
          )
        }
      </QueryView>
      <Row>
        <CurlButton call={{ path: `/api/keys/${id}/spends`, auth: 'session', wallet }} />
      </Row>
    </>
  );
}
