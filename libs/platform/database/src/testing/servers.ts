// Tests of this library need real servers, which libs/dev/testing reaches; the library itself must not know it.

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

/** The address of a database over a link that a test can cut. */
export function overLink(databaseUrl: string, link: TcpLink): string {
  const url = new URL(databaseUrl);
  url.port = new URL(link.url).port;
  return url.toString();
}
