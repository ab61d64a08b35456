import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { SecretKeyForm, useKeyHeaders } from '../../api/secret-key';
import { CurlButton } from '../../parts/curl-button';
import { Empty } from '../../parts/empty';
import { LookupForm } from '../../parts/lookup-form';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { PayoutView } from './payout-view';

export default function Payouts() {
  const headers = useKeyHeaders();
  const [text, setText] = useState('');
  const [id, setId] = useState<string>();
  const query = useQuery({
    queryKey: ['payout', id, headers],
    queryFn: () => dataOf(api.GET('/payout/{id}', { params: { path: { id: id! } }, headers: headers! })),
    enabled: id !== undefined && headers !== undefined,
  });
  return (
    <Page
      title="Payouts"
      lead="Payments to many recipients. A program submits the list with one key; a person approves it with another."
    >
      <Card title="Find a payout">
        <SecretKeyForm needs="pay, not the one that submitted the payout" />
        <LookupForm
          label="Id of the payout"
          text={text}
          onText={setText}
          onSubmit={() => setId(text.trim() || undefined)}
          isDisabled={!headers}
          more={<CurlButton call={{ path: `/payout/${text.trim() || '{id}'}` }} />}
        />
      </Card>
      {id && headers ? (
        <QueryView query={query}>{(payout) => <PayoutView payout={payout} headers={headers} />}</QueryView>
      ) : (
        <Card>
          <Empty
            title="Payouts are found by their id"
            text="POST /payout/batch returns the id. Then check here who gets what, and approve or reject it."
            action={<Link to="/keys">Create a second key</Link>}
          />
        </Card>
      )}
    </Page>
  );
}
