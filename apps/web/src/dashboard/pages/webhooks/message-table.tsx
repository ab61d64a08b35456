import type * as sdk from '@tollbridge/sdk';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { DataTable, type Column } from '../../parts/data-table';
import { Age, Due } from '../../parts/time';

type Message = sdk.WebhookMessage;

interface MessageTableProps {
  messages: readonly Message[];
  onOpen: (id: string) => void;
}

export function MessageTable({ messages, onOpen }: MessageTableProps) {
  const columns: Column<Message>[] = [
    {
      header: 'Message',
      cell: ({ id, type }) => (
        <Button kind="inline" onClick={() => onOpen(id)}>
          {type}
        </Button>
      ),
    },
    { header: 'State', cell: ({ status }) => <Badge state={status} /> },
    { header: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
    { header: 'Last reply', cell: ({ lastStatus, lastError }) => lastStatus ?? lastError ?? '—' },
    { header: 'Next attempt', cell: ({ nextAttemptAt: at }) => (at ? <Due at={at} /> : '—') },
    { header: 'Created', cell: ({ createdAt: at }) => <Age at={at} /> },
  ];
  return <DataTable label="Webhook messages" columns={columns} rows={messages} keyOf={({ id }) => id} />;
}
