import type { ReactNode } from 'react';
import styles from './notes.module.css';

/** Explains an empty list: what it will contain, and how. */
export function Empty({ title, text, action }: { title: string; text: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p>{text}</p>
      {action}
    </div>
  );
}
