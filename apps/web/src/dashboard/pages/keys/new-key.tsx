import { useQueryClient } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { Button } from '../../parts/button';
import { CopyBlock } from '../../parts/copy';
import { useCreation } from '../../parts/creation';
import { CurlButton } from '../../parts/curl-button';
import { CheckField, TextField } from '../../parts/field';
import { Columns, Form } from '../../parts/form';
import { Note } from '../../parts/note';
import { Row } from '../../parts/page';
import { useWallet } from '../../session/session';
import { keysKey } from './keys-key';
import styles from './keys.module.css';

type Created = sdk.CreateKeyReply;

const permissions = [
  ['read', 'Reads all data of the wallet'],
  ['pay', 'Pays: orders and swaps'],
  ['write', 'Creates, changes and buys'],
  ['settings', 'Changes settings, the webhook address included'],
  ['webhooks', 'Creates and shows a webhook secret'],
] as const;

type Permission = (typeof permissions)[number][0];

const shownFields = ['label', 'permissions', 'monthlyBudget', 'maxPerTx'];

/** The form, and after its submission both halves of the new key. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  if (!created) return <KeyForm onCreated={setCreated} />;
  return (
    <>
      <Note tone="wait">Store the secret now: it is not shown again.</Note>
      <CopyBlock label="Secret" text={created.secret} />
      <CopyBlock label="Public half" text={created.key} />
      <Row>
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </Row>
    </>
  );
}

function KeyForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const wallet = useWallet();
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<readonly Permission[]>(['read']);
  const [monthlyBudget, setMonthlyBudget] = useState('');
  const [maxPerTx, setMaxPerTx] = useState('');
  const body = {
    label,
    permissions: [...chosen],
    monthlyBudget: monthlyBudget.trim(),
    maxPerTx: maxPerTx.trim(),
  };
  const { form, errorOf } = useCreation(
    body,
    (header) =>
      dataOf(api.POST('/api/keys', { body, params: { header: { 'x-wallet': wallet, ...header } } })),
    (created) => {
      void queries.invalidateQueries({ queryKey: keysKey });
      onCreated(created);
    },
  );
  return (
    <Form
      {...form}
      shownFields={shownFields}
      more={<CurlButton call={{ method: 'POST', path: '/api/keys', body, auth: 'session', wallet }} />}
    >
      <TextField label="Label" value={label} onText={setLabel} error={errorOf('label')} autoFocus />
      <Permissions chosen={chosen} onChosen={setChosen} error={errorOf('permissions')} />
      <Columns>
        <TextField
          label="Budget of a month, US dollars"
          inputMode="decimal"
          placeholder="No limit"
          value={monthlyBudget}
          onText={setMonthlyBudget}
          error={errorOf('monthlyBudget')}
        />
        <TextField
          label="Limit of one spend, US dollars"
          inputMode="decimal"
          placeholder="No limit"
          value={maxPerTx}
          onText={setMaxPerTx}
          error={errorOf('maxPerTx')}
        />
      </Columns>
    </Form>
  );
}

interface PermissionsProps {
  chosen: readonly Permission[];
  onChosen: (chosen: readonly Permission[]) => void;
  error: string | undefined;
}

function Permissions({ chosen, onChosen, error }: PermissionsProps) {
  const toggle = (name: Permission) => (isChecked: boolean) =>
    onChosen(isChecked ? [...chosen, name] : chosen.filter((it) => it !== name));
  return (
    <fieldset className={styles.permissions}>
      <legend>Permissions</legend>
      {permissions.map(([name, hint]) => (
        <CheckField
          key={name}
          label={name}
          hint={hint}
          isChecked={chosen.includes(name)}
          onCheck={toggle(name)}
        />
      ))}
      {error && <Note tone="bad">{error}</Note>}
    </fieldset>
  );
}
