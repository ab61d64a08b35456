// Tests of this library need real servers, which libs/dev/testing reaches; the library itself must not know it.

import {
  eventually,
  freshDatabase,
  ManualClock,
  openTcpLink,
  startRedis,
  type FreshDatabase,
  type TcpLink,
} from '@tollbridge/testing';

export { eventually, freshDatabase, ManualClock, openTcpLink, startRedis, type FreshDatabase, type TcpLink };

/** The address of a database over a link that a test can cut. */
export function overLink(databaseUrl: string, link: TcpLink): string {
  const url = new URL(databaseUrl);
  url.port = new URL(link.url).port;
  return url.toString();
}
