import { commandAction, operatorOf, optionText, readCommandLine } from './operator-command';

const read = (...args: string[]) =>
  readCommandLine(args, { names: ['operator', 'reason'], flags: ['apply'] });

describe('readCommandLine', () => {
  it('separates options, flags and words', () => {
    const line = read('close', '--operator', 'alice', 'id', '--reason=Ticket=1', '--apply');
    expect(line.words).toEqual(['close', 'id']);
    expect(line.options).toEqual({ operator: 'alice', reason: 'Ticket=1', apply: true });
    expect(optionText(line, 'apply')).toBeUndefined();
  });

  it.each([['--other'], ['--apply=yes'], ['--operator'], ['--operator=']])('rejects %s', (argument) => {
    expect(() => read(argument)).toThrow(/Unknown option|needs a value/);
  });
});

describe('operatorOf', () => {
  it('prefers the option to the environment', () => {
    expect(operatorOf(read('--operator', 'alice'), { OPERATOR_NAME: 'bob' })).toBe('alice');
    expect(operatorOf(read(), { OPERATOR_NAME: 'bob' })).toBe('bob');
  });

  it('requires a name outside of the sandbox', () => {
    expect(() => operatorOf(read(), { TOLLBRIDGE_ENV: 'production' })).toThrow('Name the operator');
    expect(() => operatorOf(read(), {})).toThrow('Name the operator');
    expect(() => operatorOf(read(), { OPERATOR_NAME: ' ' })).toThrow('Name the operator');
  });

  it('returns the user of the machine in the sandbox', () => {
    expect(operatorOf(read(), { TOLLBRIDGE_ENV: 'sandbox' })).toMatch(/^.+@.+$/);
  });

  it('limits the length of the name', () => {
    expect(() => operatorOf(read('--operator', 'x'.repeat(129)), {})).toThrow('128');
  });
});

describe('commandAction', () => {
  it('returns the command as the caller, with a new request id', () => {
    const env = { OPERATOR_NAME: 'bob' };
    const one = commandAction(read('--reason', 'Ticket'), { command: 'refunds', env });
    const other = commandAction(read(), { command: 'refunds', env });
    expect(one).toMatchObject({ operator: 'bob', caller: 'command:refunds', reason: 'Ticket' });
    expect(other.reason).toBe('');
    expect(one.requestId).not.toBe(other.requestId);
  });
});
