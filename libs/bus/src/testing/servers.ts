// Tests of this library need real servers, which libs/testing starts; the library itself must not know it.
// eslint-disable-next-line @nx/enforce-module-boundaries
export {
  eventually,
  freePort,
  openTcpLink,
  startNats,
  type NatsServer,
  type TcpLink,
} from '@tollbridge/testing';
