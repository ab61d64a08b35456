// Tests of this library need real servers from libs/dev/testing. The library itself must not depend on
// libs/dev/testing.

import {
  eventually,
  freshDatabase,
  ManualClock,
  openTcpLink,
  startPgBouncer,
  startRedis,
  startTlsPostgres,
  startTlsRedis,
  TestAuthority,
  type FreshDatabase,
  type PgBouncer,
  type TcpLink,
  type TlsServer,
} from '@tollbridge/testing';

export {
  eventually,
  freshDatabase,
  ManualClock,
  openTcpLink,
  startPgBouncer,
  startRedis,
  startTlsPostgres,
  startTlsRedis,
  TestAuthority,
  type FreshDatabase,
  type PgBouncer,
  type TcpLink,
  type TlsServer,
};

/** Returns the URL of a database over a connection that a test can interrupt. */
export function overLink(databaseUrl: string, link: TcpLink): string {
  const url = new URL(databaseUrl);
  url.port = new URL(link.url).port;
  return url.toString();
}
