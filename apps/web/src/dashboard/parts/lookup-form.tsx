import type { ReactNode } from 'react';
import { Button } from './button';
import { TextField } from './field';
import styles from './form.module.css';

interface LookupFormProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  onSubmit: () => void;
  placeholder?: string;
  error?: string | undefined;
  isDisabled?: boolean;
  more?: ReactNode;
}

/** One field and its button, for objects that are found by an id. */
export function LookupForm({
  label,
  text,
  onText,
  onSubmit,
  placeholder,
  error,
  isDisabled = false,
  more,
}: LookupFormProps) {
  return (
    <form
      className={styles.lookup}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextField
        label={label}
        placeholder={placeholder}
        error={error}
        value={text}
        onText={onText}
        spellCheck={false}
      />
      <Button type="submit" kind="primary" disabled={isDisabled}>
        Show
      </Button>
      {more}
    </form>
  );
}
