import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { formatTime } from '../../format/times';
import { Badge } from '../../parts/badge';
import { CopyText } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { LookupForm } from '../../parts/lookup-form';
import { Card, Facts } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { usdt } from './usdt';

/** Withdrawals are found by their id. To make one, the account signs it: see the command. */
export function Withdrawals({ account }: { account: string }) {
  const [text, setText] = useState('');
  const [id, setId] = useState<string>();
  const query = useQuery({
    queryKey: ['nano', 'withdrawal', id],
    queryFn: () => dataOf(api.GET('/withdraw/{id}', { params: { path: { id: id! } } })),
    enabled: id !== undefined,
  });
  const proof = { signature: '…', validBefore: '…', nonce: '…' };
  const body = { address: account, destination: account, amount: '1000000', proof };
  return (
    <Card
      title="Withdrawals"
      actions={<CurlButton call={{ method: 'POST', path: '/withdraw', body, auth: 'none' }} />}
    >
      <p>
        A withdrawal is signed by the account and sent by the API, as the command shows. Its id finds it here.
      </p>
      <LookupForm
        label="Id of the withdrawal"
        text={text}
        onText={setText}
        onSubmit={() => setId(text.trim() || undefined)}
      />
      {id && (
        <QueryView query={query}>
          {(withdrawal) => (
            <Facts
              facts={[
                ['State', <Badge key="s" state={withdrawal.status} />],
                ['Amount', usdt(withdrawal.amount)],
                ['Destination', <CopyText key="d" text={withdrawal.destination} kept={20} />],
                ['Created', formatTime(withdrawal.createdAt)],
              ]}
            />
          )}
        </QueryView>
      )}
    </Card>
  );
}
