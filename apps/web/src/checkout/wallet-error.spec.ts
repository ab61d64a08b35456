import { isInDoubt, problemOf } from './wallet-error';
import { WalletProblem } from './wallet-problem';

it.each<[string, unknown, WalletProblem['text'], boolean]>([
  ['a declined request', { code: 4001 }, 'declined', false],
  ['a locked wallet', { code: 4100 }, 'locked', false],
  ['an earlier prompt that is open', { code: -32_002 }, 'pending', true],
  ['an unknown method', { code: 4200 }, 'unsupported', false],
  ['a wallet that lost its connection', { code: 4900 }, 'failed', true],
  ['a wallet without this chain', { code: 4901 }, 'wrongNetwork', false],
  [
    'a node that reports insufficient funds',
    new Error('insufficient funds for gas * price + value'),
    'noFunds',
    false,
  ],
  ['an unknown error', new Error('Internal error'), 'failed', true],
  ['a problem of the page', new WalletProblem('unavailable'), 'unavailable', false],
])(
  'problemOf identifies %s, and isInDoubt returns whether a transaction may have been sent',
  (_title, error, text, mayHaveSent) => {
    const problem = problemOf(error);
    expect([problem, isInDoubt(problem)]).toEqual([text, mayHaveSent]);
  },
);
