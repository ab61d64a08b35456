// Tests of this library need real servers, which libs/dev/testing starts; the library itself must not know it.

export {
  eventually,
  freePort,
  openTcpLink,
  startNats,
  startRestrictedNats,
  startTlsNats,
  TestAuthority,
  type TlsNats,
  type TlsServer,
  type NatsServer,
  type RestrictedNats,
  type TcpLink,
} from '@tollbridge/testing';
