import { useMutation, useQueryClient } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { Button } from '../../parts/button';
import { ConfirmButton } from '../../parts/confirm-button';
import { CopyBlock } from '../../parts/copy';
import { Dialog } from '../../parts/dialog';
import { NamedQuestion } from '../../parts/named-question';
import { Note } from '../../parts/note';
import { Row } from '../../parts/page';
import { useNotify } from '../../parts/toasts';
import { useWallet } from '../../session/session';
import { keysKey } from './keys-key';

type Key = sdk.KeyView;

// The time for the merchant to deploy the new secret.
const gracePeriodSeconds = 3_600;

export function KeyActions({ apiKey: { id, enabled, label } }: { apiKey: Key }) {
  const params = { path: { id }, header: { 'x-wallet': useWallet() } };
  const queries = useQueryClient();
  const notify = useNotify();
  const [secret, setSecret] = useState<string>();
  const reread = () => queries.invalidateQueries({ queryKey: keysKey });
  const toggling = useMutation({
    mutationFn: () => dataOf(api.PUT('/api/keys/{id}/toggle', { params, body: { enabled: !enabled } })),
    onSuccess: () => void reread(),
    onError: (error) => notify(error.message),
  });
  const rotate = async () => {
    const reply = await dataOf(
      api.POST('/api/keys/{id}/regenerate', { params, body: { gracePeriodSeconds } }),
    );
    setSecret(reply.secret);
    await reread();
  };
  const remove = async () => {
    await dataOf(api.DELETE('/api/keys/{id}', { params }));
    await reread();
  };
  return (
    <Row>
      <Button isBusy={toggling.isPending} onClick={() => toggling.mutate()}>
        {enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <ConfirmButton
        kind="plain"
        label="Rotate"
        title={<NamedQuestion ask="Rotate the secret of" name={label} />}
        text="The new secret is shown once. The former one stays valid for an hour."
        onConfirm={rotate}
      />
      <ConfirmButton
        label="Delete"
        title={<NamedQuestion ask="Delete" name={label} />}
        text="Programs that use it are rejected immediately. This cannot be undone."
        onConfirm={remove}
      />
      <Dialog title="The new secret" isOpen={secret !== undefined} onClose={() => setSecret(undefined)}>
        <Note tone="wait">Store it now: it is not shown again.</Note>
        {secret && <CopyBlock label="Secret" text={secret} />}
      </Dialog>
    </Row>
  );
}
