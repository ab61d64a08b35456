export { Anvil, startAnvil, type AnvilOptions } from './anvil';
export {
  recordEvents,
  withoutRepeatedSettling,
  type EventRecorder,
  type RecordedEvent,
} from './event-recorder';
export { eventually } from './eventually';
export { processorMsOf } from './processor-time';
export { freePort } from './free-port';
export { freshDatabase, testConnections, type FreshDatabase } from './fresh-database';
export { closedUrl, HttpServer, startHttpServer, type HttpReply, type SeenRequest } from './http-server';
export { findProgram, LocalProgram } from './local-program';
export { ManualClock } from './manual-clock';
export { missingCases } from './missing-cases';
export { NatsCluster, type NatsNode } from './nats-cluster';
export { NatsServer, startNats } from './nats-server';
export { startRestrictedNats, type RestrictedNats } from './restricted-nats';
export { schemaDifferences, type DescribedSchema } from './schema-differences';
export { testIdentities, testIdentitySecret } from './test-identities';
export {
  startFakeService,
  type FakeServiceAnswer,
  type FakeServiceCall,
  type FakeService,
} from './fake-service';
export { runProgram, type Child } from './run-program';
export { startRedis, type RedisServer } from './redis-server';
export { openTcpLink, type TcpLink } from './tcp-link';
export { TestAuthority, type CertificateOptions, type IssuedCertificate } from './test-certificates';
export { startTlsNats, startTlsPostgres, startTlsRedis, type TlsNats, type TlsServer } from './tls-servers';
export { unsafeMigrations, type MigratedSchema } from './unsafe-migrations';
export { startPgBouncer, type PgBouncer } from './pgbouncer';
export { RateServers } from './rate-servers';
