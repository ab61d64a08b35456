// Tests of this library need real servers, which libs/testing reaches; the library itself must not know it.
// eslint-disable-next-line @nx/enforce-module-boundaries
export {
  eventually,
  freshDatabase,
  openTcpLink,
  type FreshDatabase,
  type TcpLink,
} from '@tollbridge/testing';
