import type * as sdk from '@tollbridge/sdk';
import { formatDuration, formatTime } from '../../format/times';
import { titled } from '../../format/texts';
import styles from './timeline.module.css';

type Transaction = sdk.TransactionRecord;
type Order = Pick<sdk.DirectOrder, 'pay_tx' | 'confirmations' | 'required_confirmations' | 'failure_reason'>;

interface Step {
  title: string;
  at?: string;
  text?: string | undefined;
  isDone: boolean;
}

/** The known steps of a transaction, from its record and its order. */
export function Timeline({ transaction, order }: { transaction: Transaction; order: Order | undefined }) {
  return (
    <ol className={styles.timeline}>
      {stepsOf(transaction, order).map(({ title, at, text, isDone }) => (
        <li key={title} className={isDone ? styles.done : undefined}>
          <strong>{title}</strong>
          {at && <time dateTime={at}>{formatTime(at)}</time>}
          {text && <p>{text}</p>}
        </li>
      ))}
    </ol>
  );
}

function stepsOf(transaction: Transaction, order: Order | undefined): Step[] {
  const { created_at: created, updated_at: updated, status, late } = transaction;
  const isOver = status !== 'pending';
  const took = `After ${formatDuration(Date.parse(updated) - Date.parse(created))}${late ? ', late' : ''}`;
  const steps: Step[] = [{ title: order ? 'Order created' : 'Recorded', at: created, isDone: true }];
  if (order)
    steps.push({
      title: 'Payment seen on the chain',
      text: order.pay_tx
        ? `${order.confirmations} of ${order.required_confirmations} confirmations`
        : 'Waiting for the payer',
      isDone: order.pay_tx !== null,
    });
  steps.push(
    isOver
      ? { title: titled(status), at: updated, text: took, isDone: true }
      : { title: 'Settled', isDone: false },
  );
  if (order?.failure_reason) steps.push({ title: 'Reason', text: order.failure_reason, isDone: true });
  return steps;
}
