import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { Form } from '../parts/form';

interface SecretKey {
  secret: string | undefined;
  setSecret: (secret: string | undefined) => void;
}

const SecretKeyContext = createContext<SecretKey>({ secret: undefined, setSecret: () => undefined });

/** Keeps the secret of an API key in memory until the page is closed. */
export function SecretKeyProvider({ children }: { children: ReactNode }) {
  const [secret, setSecret] = useState<string>();
  const value = useMemo(() => ({ secret, setSecret }), [secret]);
  return <SecretKeyContext value={value}>{children}</SecretKeyContext>;
}

/** The headers of calls for the wallet of the entered key. Undefined until a secret is entered. */
export function useKeyHeaders(): { authorization: string } | undefined {
  const { secret } = useContext(SecretKeyContext);
  return useMemo(() => (secret ? { authorization: `Bearer ${secret}` } : undefined), [secret]);
}

/** Asks for the secret of a key that belongs to another wallet than the signed-in one. */
export function SecretKeyForm({ label, hint }: { label: string; hint: string }) {
  const { secret, setSecret } = useContext(SecretKeyContext);
  const [text, setText] = useState('');
  if (secret)
    return (
      <p>
        With the key <code>{`${secret.slice(0, 14)}…`}</code>{' '}
        <Button kind="link" onClick={() => setSecret(undefined)}>
          Forget it
        </Button>
      </p>
    );
  return (
    <Form
      onSubmit={() => setSecret(text.trim() || undefined)}
      submitLabel="Use this key"
      isBusy={false}
      error={null}
      shownFields={[]}
    >
      <TextField
        label={label}
        hint={hint}
        type="password"
        autoComplete="off"
        value={text}
        onText={setText}
        spellCheck={false}
      />
    </Form>
  );
}
