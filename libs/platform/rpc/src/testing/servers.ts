// Tests of this library need real servers from libs/dev/testing. The library itself must not depend on
// libs/dev/testing.

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
