import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'danger' | 'link' | 'inline';
  /** The action runs: the button cannot be pressed again. */
  isBusy?: boolean;
}

export function Button({ kind = 'plain', isBusy = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, styles[kind], className)}
      aria-busy={isBusy || undefined}
      disabled={isBusy || rest.disabled}
    />
  );
}
