import { forms, malformed, validateForms } from './field-forms';

describe('validateForms', () => {
  it('returns an error for a value that is not an object, and for each field without its form', () => {
    const expected = { amount: forms.amount, payTo: forms.address };
    expect(validateForms('it', [], expected)).toEqual([{ field: 'it', message: 'must be an object' }]);
    expect(validateForms('it', { payTo: `0x${'ab'.repeat(20)}` }, expected)).toMatchObject([
      { field: 'it.amount' },
    ]);
  });
});

describe('malformed', () => {
  it('returns the field names in a message of limited length', () => {
    const error = { field: 'paymentRequirements.amount', message: forms.amount[1] };
    expect(malformed([error])).toEqual({
      reason: 'invalid_payload',
      message: `The payment is malformed: paymentRequirements.amount ${forms.amount[1]}.`,
    });
    const { message } = malformed(Array.from({ length: 300 }, () => error));
    expect(message).toMatch(/; and \d+ more\.$/);
    expect(message.length).toBeLessThan(500);
  });
});
