import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { formatTime } from '../../format/times';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { ConfirmButton } from '../../parts/confirm-button';
import { CopyBlock } from '../../parts/copy';
import { CurlButton } from '../../parts/curl-button';
import { Dialog } from '../../parts/dialog';
import { ErrorNote } from '../../parts/error-note';
import { Note } from '../../parts/note';
import { Card, Facts, Row } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { useNotify } from '../../parts/toasts';

type EndpointState = sdk.WebhookEndpointReply;

// The time for the merchant to deploy the new secret.
const gracePeriodSeconds = 86_400;

export function Endpoint() {
  const query = useQuery({
    queryKey: ['webhooks', 'endpoint'],
    queryFn: () => dataOf(api.GET('/api/webhooks/endpoint')),
  });
  return (
    <Card title="Endpoint" actions={<Link to="/settings">Change the address</Link>}>
      <QueryView query={query}>{(endpoint) => <EndpointView endpoint={endpoint} />}</QueryView>
    </Card>
  );
}

function EndpointView({ endpoint }: { endpoint: EndpointState }) {
  const { url, secretCreatedAt, previousSecretUntil } = endpoint;
  const isPaused = endpoint.circuit === 'open' || endpoint.pausedUntil !== null;
  const secretText = secretCreatedAt
    ? `Created ${formatTime(secretCreatedAt)}`
    : 'None: it comes with the address';
  return (
    <>
      <Facts
        facts={[
          ['Address', url ? <code key="u">{url}</code> : 'Not set'],
          [
            'State',
            isPaused ? (
              <Badge key="s" state="open" text="Paused" />
            ) : (
              <Badge key="s" state={url ? 'active' : 'off'} text={url ? 'Receives messages' : 'Off'} />
            ),
          ],
          ['Secret', secretText],
          ...(previousSecretUntil
            ? [['Former secret', `Signs too until ${formatTime(previousSecretUntil)}`] as [string, string]]
            : []),
        ]}
      />
      {isPaused && <Pause endpoint={endpoint} />}
      <Row>
        {isPaused && <ResumeButton />}
        {url && <SecretButton />}
        <TestButton isReady={url !== null && secretCreatedAt !== null} />
      </Row>
    </>
  );
}

/** Shows why messages wait, and until when. */
function Pause({ endpoint: { circuit, enabled, pausedUntil } }: { endpoint: EndpointState }) {
  const cause = !enabled
    ? 'Your server answered 410: it wants no messages.'
    : circuit === 'open'
      ? 'The last deliveries to your server failed.'
      : 'Your server asked to wait.';
  const next = pausedUntil ? `The next try is at ${formatTime(pausedUntil)}.` : 'The next try is now.';
  return (
    <Note tone="bad">
      {cause} {next} Messages wait until then.
    </Note>
  );
}

/** Resumes an endpoint when its server works again, without waiting for the next probe. */
function ResumeButton() {
  const queries = useQueryClient();
  const notify = useNotify();
  const resuming = useMutation({
    mutationFn: () => dataOf(api.POST('/api/webhooks/endpoint/resume', { body: {} })),
    onSuccess: () => notify('Waiting messages are sent now'),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <>
      <Button kind="primary" isBusy={resuming.isPending} onClick={() => resuming.mutate()}>
        Resume now
      </Button>
      {resuming.error && <ErrorNote error={resuming.error} />}
    </>
  );
}

function SecretButton() {
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const rotate = async () => {
    const reply = await dataOf(api.POST('/api/webhooks/secret', { body: { gracePeriodSeconds } }));
    setSecret(reply.secret);
    await queries.invalidateQueries({ queryKey: ['webhooks', 'endpoint'] });
  };
  return (
    <>
      <ConfirmButton
        kind="plain"
        label="New secret"
        title="Create a new secret?"
        text="Your server verifies messages by it. It is shown once. The former one signs too for a day."
        onConfirm={rotate}
      />
      <Dialog title="The secret" isOpen={secret !== undefined} onClose={() => setSecret(undefined)}>
        <Note tone="wait">Store it now: it is not shown again.</Note>
        {secret && <CopyBlock label="Secret" text={secret} />}
      </Dialog>
    </>
  );
}

function TestButton({ isReady }: { isReady: boolean }) {
  const queries = useQueryClient();
  const testing = useMutation({
    mutationFn: () => dataOf(api.POST('/api/webhooks/test', { body: {} })),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const { data, error, isPending, mutate } = testing;
  return (
    <>
      <Button isBusy={isPending} disabled={!isReady} onClick={() => mutate()}>
        Send a test
      </Button>
      <CurlButton call={{ method: 'POST', path: '/api/webhooks/test', body: {} }} />
      {data && (
        <Note tone={data.delivered ? 'good' : 'bad'}>
          {data.delivered
            ? `Delivered in ${data.ms} ms.`
            : `Not delivered: ${data.error ?? `status ${data.status}`}`}
        </Note>
      )}
      {error && <ErrorNote error={error} />}
    </>
  );
}
