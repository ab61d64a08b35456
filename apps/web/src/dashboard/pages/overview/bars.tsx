import styles from './overview.module.css';

interface Bar {
  name: string;
  value: string;
  detail: string;
  /** Per mille. */
  share: number;
}

const mostBars = 6;

/** Parts of a whole, the largest first. */
export const Bars = ({ bars }: { bars: readonly Bar[] }) => (
  <ul className={styles.bars}>
    {bars.slice(0, mostBars).map(({ name, value, detail, share }) => (
      <li key={name} className={styles.bar}>
        <p className={styles.barText}>
          <strong>{name}</strong>
          <span>
            {value} <span className={styles.barDetail}>· {detail}</span>
          </span>
        </p>
        <div className={styles.track} aria-hidden="true">
          <div className={styles.fill} style={{ width: `${share / 10}%` }} />
        </div>
      </li>
    ))}
  </ul>
);
