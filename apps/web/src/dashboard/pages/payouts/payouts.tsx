import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { SecretKeyForm, useKeyHeaders } from '../../api/secret-key';
import { Button } from '../../parts/button';
import { CurlButton } from '../../parts/curl-button';
import { Empty } from '../../parts/empty';
import { TextField } from '../../parts/field';
import { Card, Page, Row } from '../../parts/page';
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
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setId(text.trim() || undefined);
          }}
        >
          <Row>
            <TextField label="Id of the payout" value={text} onText={setText} spellCheck={false} />
            <Button type="submit" kind="primary" disabled={!headers}>
              Show
            </Button>
            <CurlButton call={{ path: `/payout/${text.trim() || '{id}'}` }} />
          </Row>
        </form>
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
