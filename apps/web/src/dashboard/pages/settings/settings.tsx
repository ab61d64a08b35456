import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useChains, type Chains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { useSettings, type Settings } from '../../api/settings';
import { ConfirmButton } from '../../parts/confirm-button';
import { Card, Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { useNotify } from '../../parts/toasts';
import { CheckoutPreview } from './checkout-preview';
import { enteredOf, type EnteredSettings } from './entered-settings';
import { SettingsForm } from './settings-form';
import styles from './settings.module.css';

export default function SettingsPage() {
  const settings = useSettings();
  const chains = useChains();
  return (
    <Page
      title="Settings"
      lead="What payers see, and the defaults of new links."
      call={{ path: '/api/settings' }}
    >
      <QueryView query={settings}>
        {(stored) => (
          <QueryView query={chains}>{(known) => <Editor stored={stored} chains={known} />}</QueryView>
        )}
      </QueryView>
    </Page>
  );
}

function Editor({ stored, chains }: { stored: Settings; chains: Chains }) {
  const [entered, setEntered] = useState<EnteredSettings>(() => enteredOf(stored, chains));
  const queries = useQueryClient();
  const notify = useNotify();
  const remove = async () => {
    await dataOf(api.DELETE('/api/settings/all'));
    await queries.invalidateQueries({ queryKey: ['settings'] });
    setEntered(enteredOf({}, chains));
    notify('Settings deleted');
  };
  return (
    <div className={styles.editor}>
      <Card title="Shop">
        <SettingsForm chains={chains} entered={entered} onEntered={setEntered} />
      </Card>
      <Card title="What a payer sees">
        <CheckoutPreview entered={entered} />
      </Card>
      <Card title="Delete all settings">
        <p>Also those that other programs have stored, and the webhook address.</p>
        <div>
          <ConfirmButton
            label="Delete all settings"
            title="Delete all settings?"
            text="Webhooks stop immediately. This cannot be undone."
            onConfirm={remove}
          />
        </div>
      </Card>
    </div>
  );
}
