import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Chains } from '../../api/chains';
import { api, dataOf } from '../../api/client';
import { useSettings, type Settings } from '../../api/settings';
import { CurlButton } from '../../parts/curl-button';
import { SelectField, TextField } from '../../parts/field';
import { Columns, fieldError, Form } from '../../parts/form';
import { Note } from '../../parts/note';
import { offeredCurrencies } from '../../parts/price-fields';
import { useNotify } from '../../parts/toasts';
import { mergedSettings, type EnteredSettings } from './entered-settings';
import { StorefrontFields } from './storefront-fields';

const shownFields = [
  'storeName',
  'storeColor',
  'storeLogo',
  'embedOrigins',
  'webhookUrl',
  'defaultChain',
  'defaultToken',
  'defaultCurrency',
  'priceSpreadBps',
  'receiveAddresses',
  'receiveAddresses.evm',
];

interface SettingsFormProps {
  chains: Chains;
  entered: EnteredSettings;
  onEntered: (entered: EnteredSettings) => void;
}

/** Other programs may store settings too, so the settings are read again before they are replaced. */
async function save(entered: EnteredSettings): Promise<Settings> {
  const stored = (await dataOf(api.GET('/api/settings'))) as Settings;
  return (await dataOf(api.PUT('/api/settings', { body: mergedSettings(stored, entered) }))) as Settings;
}

export function SettingsForm({ chains, entered, onEntered }: SettingsFormProps) {
  const queries = useQueryClient();
  const notify = useNotify();
  const { data: stored = {} } = useSettings();
  const saving = useMutation({
    mutationFn: () => save(entered),
    onSuccess: () => {
      notify('Settings saved');
      void queries.invalidateQueries({ queryKey: ['settings'] });
      void queries.invalidateQueries({ queryKey: ['webhooks', 'endpoint'] });
    },
  });
  const set = (name: keyof EnteredSettings) => (text: string) => onEntered({ ...entered, [name]: text });
  const errorOf = (name: string) => fieldError(saving.error, name);
  const tokens = chains.find(entered.defaultChain)?.tokens ?? [];
  const call = { method: 'PUT', path: '/api/settings', body: mergedSettings(stored, entered) } as const;
  return (
    <Form
      onSubmit={() => saving.mutate()}
      submitLabel="Save"
      isBusy={saving.isPending}
      error={saving.error}
      shownFields={shownFields}
      more={<CurlButton call={call} />}
    >
      <StorefrontFields entered={entered} set={set} error={saving.error} />
      <TextField
        label="Webhook address"
        hint="An https address of your server. Empty: no webhooks."
        type="url"
        placeholder="https://"
        value={entered.webhookUrl}
        onText={set('webhookUrl')}
        error={errorOf('webhookUrl')}
      />
      <Columns>
        <SelectField
          label="Default chain"
          options={[['', 'None'], ...chains.direct.map(({ id, name }) => [id, name] as const)]}
          value={entered.defaultChain}
          onText={set('defaultChain')}
          error={errorOf('defaultChain')}
        />
        <SelectField
          label="Default token"
          options={[['', 'None'], ...tokens.map(({ symbol }) => [symbol, symbol] as const)]}
          value={entered.defaultToken}
          onText={set('defaultToken')}
          error={errorOf('defaultToken')}
        />
      </Columns>
      <PriceSettings entered={entered} set={set} errorOf={errorOf} />
      <TextField
        label="Receiving address on EVM chains"
        hint="For payment requests that name none. Empty: the wallet that is signed in."
        value={entered.receiveEvm}
        onText={set('receiveEvm')}
        error={errorOf('receiveAddresses.evm') ?? errorOf('receiveAddresses')}
        spellCheck={false}
      />
      <Warnings settings={saving.data} />
    </Form>
  );
}

interface PriceSettingsProps {
  entered: EnteredSettings;
  set: (name: keyof EnteredSettings) => (text: string) => void;
  errorOf: (name: string) => string | undefined;
}

/** The currency of statistics, and what payers pay above a price. */
function PriceSettings({ entered, set, errorOf }: PriceSettingsProps) {
  return (
    <Columns>
      <SelectField
        label="Default currency"
        options={[
          ['', 'None'],
          ...offeredCurrencies(entered.defaultCurrency).map((code) => [code, code] as const),
        ]}
        value={entered.defaultCurrency}
        onText={set('defaultCurrency')}
        error={errorOf('defaultCurrency')}
      />
      <TextField
        label="Spread on prices, basis points"
        hint="What payers pay above a price in a currency: 50 is 0.5 %."
        inputMode="numeric"
        value={entered.priceSpread}
        onText={set('priceSpread')}
        error={errorOf('priceSpreadBps')}
      />
    </Columns>
  );
}

/** The warnings of the reply, for example about a webhook address that was removed. */
function Warnings({ settings }: { settings: Settings | undefined }) {
  const warnings = settings?.['warnings'];
  if (!Array.isArray(warnings)) return null;
  return (
    <Note tone="wait">
      <ul>
        {warnings.map((warning: { message?: unknown }, at) => (
          <li key={at}>{String(warning.message)}</li>
        ))}
      </ul>
    </Note>
  );
}
