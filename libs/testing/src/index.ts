export { Anvil, startAnvil, type AnvilOptions } from './anvil';
export { recordEvents, type EventRecorder, type RecordedEvent } from './event-recorder';
export { eventually } from './eventually';
export { freshDatabase, type FreshDatabase } from './fresh-database';
export { closedUrl, HttpServer, startHttpServer, type HttpReply, type SeenRequest } from './http-server';
export { ManualClock } from './manual-clock';
export { missingCases } from './missing-cases';
export { NatsServer, startNats } from './nats-server';
export { openTcpLink, type TcpLink } from './tcp-link';
