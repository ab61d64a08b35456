export { openAccessLog, type AccessEntry } from './access-log';
export { GroupedWarnings } from './grouped-warnings';
export { createLogger, flushLogs, NestLogger, type Logger } from './logger';
export * from './build-info';
export * from './metrics';
export * from './tracing';
