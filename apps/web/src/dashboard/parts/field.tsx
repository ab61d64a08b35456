import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import styles from './field.module.css';

interface Described {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface Control {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
  className: string | undefined;
}

function Field({ label, hint, error, children }: Described & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
        className: styles.control,
      })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

type InputProps = Described &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & { onText: (text: string) => void };

export const TextField = ({ label, hint, error, onText, ...rest }: InputProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <input type="text" {...rest} {...control} onChange={(event) => onText(event.target.value)} />
    )}
  </Field>
);

type FileProps = Described & { accept: string; onFile: (file: File) => void };

export const FileField = ({ label, hint, error, accept, onFile }: FileProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <input
        type="file"
        accept={accept}
        {...control}
        onChange={({ target }) => target.files?.[0] && onFile(target.files[0])}
      />
    )}
  </Field>
);

type AreaProps = Described &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> & { onText: (text: string) => void };

export const TextArea = ({ label, hint, error, onText, ...rest }: AreaProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <textarea rows={3} {...rest} {...control} onChange={(event) => onText(event.target.value)} />
    )}
  </Field>
);

type SelectProps = Described &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> & {
    options: readonly (readonly [value: string, text: string])[];
    onText: (text: string) => void;
  };

/** A native select element: phones show it best, and it needs no script. */
export const SelectField = ({ label, hint, error, options, onText, ...rest }: SelectProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <select {...rest} {...control} onChange={(event) => onText(event.target.value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface CheckProps {
  label: string;
  hint?: string;
  isChecked: boolean;
  onCheck: (isChecked: boolean) => void;
}

export const CheckField = ({ label, hint, isChecked, onCheck }: CheckProps) => (
  <label className={styles.check}>
    <input type="checkbox" checked={isChecked} onChange={(event) => onCheck(event.target.checked)} />
    <span>
      {label}
      {hint && <span className={styles.hint}>{hint}</span>}
    </span>
  </label>
);
