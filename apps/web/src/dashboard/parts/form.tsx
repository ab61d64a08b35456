import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../api/api-error';
import { Button } from './button';
import { ErrorNote } from './error-note';
import styles from './form.module.css';

interface FormProps {
  onSubmit: () => void;
  submitLabel: string;
  isBusy: boolean;
  error: Error | null;
  /** The names of the fields that show their errors themselves. */
  shownFields: readonly string[];
  children: ReactNode;
  /** Shown next to the button. */
  more?: ReactNode;
}

/** A form that shows errors of fields at the fields, and other errors below them. */
export function Form({ onSubmit, submitLabel, isBusy, error, shownFields, children, more }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {children}
      {error && !isShownByFields(error, shownFields) && <ErrorNote error={withFields(error, shownFields)} />}
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {submitLabel}
        </Button>
        {more}
      </div>
    </form>
  );
}

export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
);

/** One filter of a list. */
export const Narrow = ({ children }: { children: ReactNode }) => (
  <div className={styles.narrow}>{children}</div>
);

/** The error message of a field. */
export function fieldError(error: Error | null, name: string): string | undefined {
  return error instanceof ApiError ? error.fields[name] : undefined;
}

function isShownByFields(error: Error, shown: readonly string[]): boolean {
  if (!(error instanceof ApiError)) return false;
  const named = Object.keys(error.fields);
  return named.length > 0 && named.every((name) => shown.includes(name));
}

/** The message includes errors of fields that the form does not have. */
function withFields(error: Error, shown: readonly string[]): Error {
  if (!(error instanceof ApiError)) return error;
  const others = Object.entries(error.fields).filter(([name]) => !shown.includes(name));
  const text = [error.message, ...others.map(([name, message]) => `${name}: ${message}.`)].join(' ');
  return new ApiError(error.status, error.code, text, error.requestId, error.fields);
}
