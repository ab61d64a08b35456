import type { ReactNode } from 'react';
import { classNames } from './class-names';
import styles from './notes.module.css';

export type Tone = 'good' | 'bad' | 'wait';

export function Note({ tone, children }: { tone?: Tone; children: ReactNode }) {
  return <div className={classNames(styles.note, tone && styles[tone])}>{children}</div>;
}
