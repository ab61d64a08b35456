import { useQuery } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Empty } from '../../parts/empty';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { useWallet } from '../../session/session';
import { KeyTable } from './key-table';
import { keysKey } from './keys-key';
import { NewKey } from './new-key';
import { KeyActions } from './key-actions';
import { Spends } from './spends';

type Key = sdk.KeyView;

export default function Keys() {
  const wallet = useWallet();
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<string>();
  const query = useQuery({
    queryKey: keysKey,
    queryFn: () => dataOf(api.GET('/api/keys', { params: { header: { 'x-wallet': wallet } } })),
  });
  const key = query.data?.find(({ id }) => id === opened);
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead="What your servers and agents authenticate with. A budget bounds what a key can spend."
      call={{ path: '/api/keys', auth: 'session', wallet }}
      actions={create}
    >
      <Card>
        <QueryView query={query}>
          {(keys) =>
            keys.length === 0 ? (
              <Empty
                title="No keys yet"
                text="A key has a public half for pages and a secret half for servers. Give each program its own, with only the permissions that it needs."
                action={create}
              />
            ) : (
              <KeyTable keys={keys} onOpen={({ id }) => setOpened(id)} />
            )
          }
        </QueryView>
      </Card>
      <Dialog title="Create a key" isOpen={isCreating} onClose={() => setCreating(false)}>
        <NewKey onClose={() => setCreating(false)} />
      </Dialog>
      <Dialog title={key?.label ?? ''} isOpen={key !== undefined} onClose={() => setOpened(undefined)}>
        {key && <KeyPanel apiKey={key} />}
      </Dialog>
    </Page>
  );
}

const KeyPanel = ({ apiKey }: { apiKey: Key }) => (
  <>
    <KeyActions apiKey={apiKey} />
    <h3>Spends</h3>
    <Spends id={apiKey.id} />
  </>
);
