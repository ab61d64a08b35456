import { reasonAgainstSender } from './sender-account';

describe('reasonAgainstSender', () => {
  it.each([
    ['0x', 10, undefined],
    ['0x', 11, 'SENDER_IS_BUSY'],
    ['0x6000', 1, 'SENDER_HAS_CODE'],
    // A key that delegates to a contract keeps control of its account.
    [`0xef0100${'12'.repeat(20)}`, 1, undefined],
    [`0xef0100${'12'.repeat(21)}`, 1, 'SENDER_HAS_CODE'],
  ])('returns for code %s and %i transactions: %s', (code, transactions, problem) => {
    expect(reasonAgainstSender({ code, transactions }, 10)).toBe(problem);
  });
});
