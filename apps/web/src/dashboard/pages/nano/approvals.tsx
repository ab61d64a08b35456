import { useQuery, useQueryClient } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { api, dataOf } from '../../api/client';
import { useKeyHeaders } from '../../api/secret-key';
import { Badge } from '../../parts/badge';
import { ConfirmButton } from '../../parts/confirm-button';
import { CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { DataTable, type Column } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { Card, Row } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Age } from '../../parts/time';
import { usdt } from './usdt';

type Approval = sdk.Approval;

const columns: Column<Approval>[] = [
  { header: 'To', cell: ({ to }) => <CopyText text={to} /> },
  { header: 'State', cell: ({ status }) => <Badge state={status} /> },
  { header: 'Created', cell: ({ createdAt: at }) => <Age at={at} /> },
  { header: 'Expires', cell: ({ expiresAt: at }) => <Age at={at} /> },
  { header: 'Amount', isNumber: true, cell: ({ amount }) => usdt(amount) },
  { header: 'Decision', cell: (approval) => <Decision approval={approval} /> },
];

/** Payments above the limit of the policy, which wait for the owner. */
export function Approvals({ account }: { account: string }) {
  const query = useQuery({
    queryKey: ['nano', 'approvals', account],
    queryFn: () => dataOf(api.GET('/approvals', { params: { query: { address: account, limit: 50 } } })),
  });
  const path = `/approvals?${new URLSearchParams({ address: account })}`;
  return (
    <Card title="Approvals" actions={<CurlButton call={{ path, auth: 'none' }} />}>
      <QueryView query={query}>
        {({ approvals }) =>
          approvals.length === 0 ? (
            <Empty
              title="Nothing waits for you"
              text="A payment above the limit of your policy stops here. The buyer repeats it after your approval."
            />
          ) : (
            <DataTable label="Approvals" columns={columns} rows={approvals} keyOf={({ id }) => id} />
          )
        }
      </QueryView>
    </Card>
  );
}

function Decision({ approval: { id, status, amount } }: { approval: Approval }) {
  const queries = useQueryClient();
  const headers = useKeyHeaders();
  if (status !== 'pending') return '—';
  const decide = (verb: 'approve' | 'reject') => async () => {
    const params = { path: { id } };
    await dataOf(api.POST(`/approvals/{id}/${verb}`, { params, body: {}, ...(headers && { headers }) }));
    await queries.invalidateQueries({ queryKey: ['nano'] });
  };
  return (
    <Row>
      <ConfirmButton
        kind="primary"
        label="Approve"
        title={`Approve ${usdt(amount)}?`}
        text="The buyer may make this payment once within ten minutes."
        onConfirm={decide('approve')}
      />
      <ConfirmButton
        label="Reject"
        title={`Reject ${usdt(amount)}?`}
        text="The payment is declined."
        onConfirm={decide('reject')}
      />
    </Row>
  );
}
