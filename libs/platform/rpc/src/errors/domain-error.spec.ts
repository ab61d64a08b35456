import { DomainError } from './domain-error';
import { errorCodes, statusOf, type ErrorCode } from './error-codes';

describe('DomainError', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])(
    'has an HTTP status and a sentence as message for %s',
    (code) => {
      const error = new DomainError(code);
      expect(error.status).toBe(statusOf(code));
      expect(error.status).toBeGreaterThanOrEqual(400);
      expect(error.status).toBeLessThan(600);
      expect(error.message).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('includes its message and details in JSON, but not the cause', () => {
    const cause = new Error('duplicate key value violates unique constraint "orders_pkey"');
    const error = new DomainError('CONFLICT', 'This order exists.', { details: { id: '1' }, cause });
    expect(error).toMatchObject({ message: 'This order exists.', details: { id: '1' }, cause, status: 409 });
    expect(JSON.stringify(error)).not.toContain('orders_pkey');
  });

  it('lists every invalid field in a message of limited length', () => {
    const errors = Array.from({ length: 50 }, (_, index) => ({
      field: `field_${index}`,
      message: 'is missing',
    }));
    const error = DomainError.invalid(errors);
    expect(error.details).toEqual(errors);
    expect(error.message).toContain('field_0 is missing; field_1 is missing');
    expect(error.message.length).toBeLessThan(450);
  });

  it('truncates the message after a whole field, and counts the fields that do not fit', () => {
    const errors = Array.from({ length: 30 }, (_, index) => ({ field: `f${index}`, message: 'is missing' }));
    const { message } = DomainError.invalid(errors);
    const [, named, left] = /^The request is not valid: (.*); and (\d+) more: see details\.$/.exec(message)!;
    const fields = named!.split('; ');
    expect(fields.every((text) => /^f\d+ is missing$/.test(text))).toBe(true);
    expect(fields.length + Number(left)).toBe(30);
    expect(DomainError.invalid(errors.slice(0, 3)).message).toBe(
      'The request is not valid: f0 is missing; f1 is missing; f2 is missing.',
    );
  });

  it('truncates a single error that is too long, and accepts an empty list', () => {
    const long = { field: 'name', message: 'x'.repeat(1_000) };
    expect(DomainError.invalid([long, long]).message).toMatch(/^.{400,450}; and 1 more: see details\.$/);
    expect(DomainError.invalid([]).message).toBe('The request is not valid: .');
  });
});
