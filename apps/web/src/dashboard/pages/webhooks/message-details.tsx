import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { api, dataOf } from '../../api/client';
import { formatTime } from '../../format/times';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { CopyBlock, CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { DataTable, type Column } from '../../parts/data-table';
import { ErrorNote } from '../../parts/error-note';
import { Facts, Row } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Due } from '../../parts/time';
import { useNotify } from '../../parts/toasts';

type Attempt = sdk.WebhookAttempt;

export function MessageDetails({ id }: { id: string }) {
  const queries = useQueryClient();
  const notify = useNotify();
  const params = { path: { id } };
  const query = useQuery({
    queryKey: ['webhooks', 'one', id],
    queryFn: () => dataOf(api.GET('/api/webhooks/{id}', { params })),
  });
  const replaying = useMutation({
    mutationFn: () => dataOf(api.POST('/api/webhooks/{id}/replay', { params, body: {} })),
    onSuccess: () => notify('The message is sent again'),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <QueryView query={query}>
      {(message) => (
        <>
          <Facts
            facts={[
              ['Type', <code key="t">{message.type}</code>],
              ['State', <Badge key="s" state={message.status} />],
              ['Created', formatTime(message.createdAt)],
              ['Next attempt', message.nextAttemptAt ? <Due key="n" at={message.nextAttemptAt} /> : 'None'],
              ['Id', <CopyText key="i" text={message.id} kept={14} />],
            ]}
          />
          {message.log.length > 0 && <Attempts attempts={message.log} />}
          <CopyBlock label="Payload" text={JSON.stringify(message.payload, null, 2)} />
          {replaying.error && <ErrorNote error={replaying.error} />}
          <Row>
            <Button kind="primary" isBusy={replaying.isPending} onClick={() => replaying.mutate()}>
              Replay
            </Button>
            <CurlButton call={{ method: 'POST', path: `/api/webhooks/${id}/replay`, body: {} }} />
          </Row>
        </>
      )}
    </QueryView>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const columns: Column<Attempt>[] = [
    { header: 'Attempt', cell: ({ at }) => formatTime(at) },
    { header: 'Reply', cell: ({ status, error }) => status ?? error ?? '—' },
    { header: 'Took', isNumber: true, cell: ({ ms }) => `${ms} ms` },
  ];
  return <DataTable label="Attempts" columns={columns} rows={attempts} keyOf={({ at }) => at} />;
}
