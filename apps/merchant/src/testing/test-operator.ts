/** The operator in tests of operator actions. */
export const testOperator = {
  operator: 'alice',
  caller: 'command:rebuild',
  reason: 'test',
  requestId: '01a1faec-0000-7000-8000-000000000000',
};
