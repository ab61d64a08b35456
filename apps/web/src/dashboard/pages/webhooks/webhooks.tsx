import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { usePages } from '../../api/use-pages';
import { Dialog } from '../../parts/dialog';
import { Empty } from '../../parts/empty';
import { SelectField } from '../../parts/field';
import { Narrow } from '../../parts/form';
import { LoadMore } from '../../parts/load-more';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Endpoint } from './endpoint';
import { MessageDetails } from './message-details';
import { MessageTable } from './message-table';

const states = [
  ['', 'Any'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failing', 'Failing'],
  ['parked', 'Parked'],
] as const;

export default function Webhooks() {
  return (
    <Page
      title="Webhooks"
      lead="Signed messages to your server: what has been paid, what has failed."
      call={{ path: '/api/webhooks' }}
    >
      <Endpoint />
      <Log />
    </Page>
  );
}

function Log() {
  const filters = useSearch({ from: '/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const [opened, setOpened] = useState<string>();
  const query = usePages({
    key: ['webhooks', 'log', filters],
    read: (at) => dataOf(api.GET('/api/webhooks', { params: { query: { ...filters, limit: 50, ...at } } })),
    rowsOf: ({ webhooks }) => webhooks,
  });
  const setStatus = (status: string) => void navigate({ search: status ? { status } : {}, replace: true });
  return (
    <Card title="Messages">
      <Narrow>
        <SelectField label="State" options={states} value={filters['status'] ?? ''} onText={setStatus} />
      </Narrow>
      <QueryView query={query}>
        {(messages) =>
          messages.length === 0 ? (
            <NoMessages isFiltered={filters['status'] !== undefined} />
          ) : (
            <MessageTable messages={messages} onOpen={setOpened} />
          )
        }
      </QueryView>
      <LoadMore query={query} />
      <Dialog title="Message" isOpen={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened && <MessageDetails id={opened} />}
      </Dialog>
    </Card>
  );
}

const NoMessages = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No message has this state" text="Choose another state." />
  ) : (
    <Empty
      title="No messages"
      text="Set the address of your server, send a test, and see here what was sent, what was answered, and what will be repeated."
      action={<Link to="/settings">Set the address</Link>}
    />
  );
