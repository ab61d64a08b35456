import type { Operation } from '@tollbridge/rpc';

/** The part of a declaration that determines how requests are authenticated and counted. */
export type AdmissionRule = Pick<Operation, 'subject' | 'auth' | 'isSignIn' | 'isCostly' | 'callsPerMinute'> &
  Partial<Pick<Operation, 'sale' | 'soldAt'>>;
