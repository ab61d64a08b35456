export * from './management-server';
export * from './outbox-worker';
export * from './repeat';
export * from './run';
export * from './run-migrations';
export * from './service';
export * from './settings';
