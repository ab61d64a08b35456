export * from './clock';
export * from './database';
export * from './grouped';
export * from './inbox';
export * from './leader-lock';
export * from './migrate';
export * from './outbox';
export * from './outbox-relay';
