export { DomainError, errorCodes, statusOf, type ErrorCode } from '@tollbridge/bus';
export * from './features';
export * from './pay-orders/chains.api';
export * from './pay-orders/orders.api';
export * from './pay-orders/orders.events';
export * from './pay-orders/quotes.api';
export * from './sandbox/controls.api';
export * from './sandbox/sandbox.api';
