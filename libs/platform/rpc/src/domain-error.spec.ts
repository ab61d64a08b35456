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

  it('carries its message and details, and hides the cause from JSON', () => {
    const cause = new Error('duplicate key value violates unique constraint "orders_pkey"');
    const error = new DomainError('CONFLICT', 'This order exists.', { details: { id: '1' }, cause });
    expect(error).toMatchObject({ message: 'This order exists.', details: { id: '1' }, cause, status: 409 });
    expect(JSON.stringify(error)).not.toContain('orders_pkey');
  });

  it('lists every invalid field, in a message of bounded length', () => {
    const errors = Array.from({ length: 50 }, (_, index) => ({
      field: `field_${index}`,
      message: 'is missing',
    }));
    const error = DomainError.invalid(errors);
    expect(error.details).toEqual(errors);
    expect(error.message).toContain('field_0 is missing; field_1 is missing');
    expect(error.message.length).toBeLessThan(450);
  });
});
