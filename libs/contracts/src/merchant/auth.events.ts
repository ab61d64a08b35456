import { events, Integer, Text, Timestamp } from '@tollbridge/rpc';

/** Fields for invalidating cached sessions; they contain no credential. */
export class SessionRevoked {
  @Text({ description: 'Id of the session', format: 'uuid', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;
  @Text({
    description: 'The wallet that signed in',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  wallet: string;
  @Integer({ description: 'Version of the session: increases with each change', example: 1 })
  version: number;
  @Timestamp({ description: 'Revocation time', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export const sessionEvents = events('merchant', {
  'session-revoked': {
    version: 1,
    summary: 'A session of a wallet was revoked: invalidate cached copies',
    data: SessionRevoked,
  },
});
