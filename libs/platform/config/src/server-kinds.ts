/** The kinds of servers that apps connect to, as written in ALLOW_PLAINTEXT. */
export const serverKinds = ['database', 'nats', 'redis'] as const;
export type ServerKind = (typeof serverKinds)[number];
