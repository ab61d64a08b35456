import { events } from '@tollbridge/rpc';
import { Integer, Text, Timestamp } from '../decorators';
import { Id } from '../shared-fields';
import { walletExample } from '../pay-orders/fields';

/** Fields for invalidating cached sessions. They contain no credential. */
export class SessionRevoked {
  @Id('Id of the session') id: string;
  @Text('The wallet that signed in', { example: walletExample })
  wallet: string;
  @Integer('Version of the session: increases with each change', { example: 1 }) version: number;
  @Timestamp('Revocation time', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
}

export const sessionEvents = events('merchant', {
  'session-revoked': {
    version: 1,
    summary: 'A session of a wallet was revoked: invalidate cached copies',
    data: SessionRevoked,
  },
});
