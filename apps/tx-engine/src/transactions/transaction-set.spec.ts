import { transactionStates } from '@tollbridge/contracts';
import { after, isOver, setEvents, transitions, type SetEvent } from './transaction-set';

/** Written out, so that a change of the table is a decision and no accident. */
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

it.each(pairs)('%s, %s', (state, event) => {
  const [, , next] = possible.find(([from, what]) => from === state && what === event) ?? [];
  if (next === undefined) expect(() => after(state, event)).toThrow(`that is ${state} cannot be ${event}`);
  else expect(after(state, event)).toBe(next);
});

it('goes back only where a chain does', () => {
  const rank = (state: string) => transactionStates.indexOf(state as never);
  const back = possible.filter(([from, , to]) => rank(to) < rank(from));
  expect(back).toEqual([['confirming', 'unmined', 'submitted']]);
});

it('ends in states that nothing leaves, and in no others', () => {
  const last = transactionStates.filter((state) => Object.keys(transitions[state]).length === 0);
  expect(last).toEqual(transactionStates.filter((state) => isOver({ state })));
});
