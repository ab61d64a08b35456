/** The result of one check. */
export interface Finding {
  check: string;
  result: 'ok' | 'warn' | 'fail';
  detail: string;
  /** Next step for the operator; absent if the check passed. */
  action?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, result: 'ok', detail });
export const warn = (check: string, detail: string, action: string): Finding => ({
  check,
  result: 'warn',
  detail,
  action,
});
export const fail = (check: string, detail: string, action: string): Finding => ({
  check,
  result: 'fail',
  detail,
  action,
});
