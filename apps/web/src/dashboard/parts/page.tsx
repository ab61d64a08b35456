import type { ReactNode } from 'react';
import { useEffect } from 'react';
import type { CurlCall } from '../api/curl';
import { CurlButton } from './curl-button';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** One sentence about the purpose of the page. */
  lead?: ReactNode;
  /** The API call that returns the data of the page. */
  call: CurlCall;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, call, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Tollbridge`;
  }, [title]);
  return (
    <article className={styles.page}>
      <header className={styles.header}>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {lead && <p className={styles.lead}>{lead}</p>}
        {actions && <div className={styles.actions}>{actions}</div>}
        <CurlButton call={call} />
      </header>
      {children}
    </article>
  );
}

export function Card({
  title,
  actions,
  children,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.card}>
      {(title || actions) && (
        <header className={styles.cardHeader}>
          {title && <h2>{title}</h2>}
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

export const Row = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>;

export function Stat({ label, value, hint }: { label: string; value: ReactNode; hint?: ReactNode }) {
  return (
    <div className={styles.stat}>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {hint && <dd className={styles.hint}>{hint}</dd>}
    </div>
  );
}

export const Stats = ({ children }: { children: ReactNode }) => <dl className={styles.stats}>{children}</dl>;

/** A list of names and values. */
export function Facts({ facts }: { facts: [label: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
