import { titled } from '../format/texts';
import styles from './badge.module.css';
import { classNames } from './class-names';
import type { Tone } from './note';

const tones: Readonly<Record<string, Tone>> = {
  ...Object.fromEntries(
    [
      'completed',
      'settled',
      'delivered',
      'active',
      'enabled',
      'counted',
      'captured',
      'paid',
      'approved',
      'available',
      'verified',
      'closed',
      'sent',
      'resolved',
    ].map((state) => [state, 'good']),
  ),
  ...Object.fromEntries(
    [
      'failed',
      'rejected',
      'reversed',
      'parked',
      'failing',
      'open',
      'refused',
      'unverifiable',
      'inactive',
    ].map((state) => [state, 'bad']),
  ),
  ...Object.fromEntries(
    [
      'pending',
      'processing',
      'executing',
      'settling',
      'waiting_payment',
      'late',
      'partial',
      'excess',
      'reserved',
      'awaiting_approval',
      'sending',
      'partly_paid',
      'waiting',
    ].map((state) => [state, 'wait']),
  ),
};

/** A state as text, in the colour of its meaning. */
export function Badge({ state, text }: { state: string; text?: string | undefined }) {
  const tone = tones[state];
  return <span className={classNames(styles.badge, tone && styles[tone])}>{text ?? titled(state)}</span>;
}
