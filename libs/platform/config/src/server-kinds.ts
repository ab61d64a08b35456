/** The kinds of servers that apps connect to, as ALLOW_PLAINTEXT names them. */
export const serverKinds = ['database', 'nats', 'redis'] as const;
export type ServerKind = (typeof serverKinds)[number];
