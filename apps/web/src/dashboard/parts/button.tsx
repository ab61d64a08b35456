import type { ButtonHTMLAttributes, MouseEvent } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'danger' | 'link' | 'inline';
  /** Whether the action is running, so that the button cannot be pressed again. */
  isBusy?: boolean;
}

export function Button({ kind = 'plain', isBusy, className, onClick, ...rest }: ButtonProps) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click may arrive before the page shows that the action is running.
    if (isBusy !== undefined && event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      onClick={click}
      className={classNames(styles.button, styles[kind], className)}
      aria-busy={isBusy || undefined}
      disabled={isBusy || rest.disabled}
    />
  );
}
