import { transactionStates } from '@tollbridge/contracts';
import { isFinal, nextState, setEvents, transitions, type SetEvent } from './transaction-set';

/** Written out, so that a change of the table is a decision and not an accident. */
const possible: [string, SetEvent, string][] = [
  ['building', 'built', 'built'],
  ['built', 'signed', 'signing'],
  ['built', 'expired', 'expired'],
  ['signing', 'sending', 'submitting'],
  ['signing', 'failed', 'failed'],
  ['signing', 'expired', 'expired'],
  ['submitting', 'sent', 'submitted'],
  ['submitting', 'mined', 'confirming'],
  ['submitting', 'failed', 'failed'],
  ['submitted', 'mined', 'confirming'],
  ['submitted', 'failed', 'failed'],
  ['confirming', 'unmined', 'submitted'],
  ['confirming', 'completed', 'completed'],
  ['confirming', 'failed', 'failed'],
];

const pairs = transactionStates.flatMap((state) => setEvents.map((event) => [state, event] as const));

it.each(pairs)('allows or rejects the transition from %s by %s', (state, event) => {
  const [, , next] = possible.find(([from, what]) => from === state && what === event) ?? [];
  if (next === undefined)
    expect(() => nextState(state, event)).toThrow(`no transition from ${state} by ${event}`);
  else expect(nextState(state, event)).toBe(next);
});

it('returns to an earlier state only after a reorganisation', () => {
  const rank = (state: string) => transactionStates.indexOf(state as never);
  const back = possible.filter(([from, , to]) => rank(to) < rank(from));
  expect(back).toEqual([['confirming', 'unmined', 'submitted']]);
});

it('has exactly the final states without transitions', () => {
  const last = transactionStates.filter((state) => Object.keys(transitions[state]).length === 0);
  expect(last).toEqual(transactionStates.filter((state) => isFinal({ state })));
});
