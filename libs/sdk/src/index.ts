export { fromAtomic, toAtomic } from './amounts';
export { toResult, type Call, type CallOptions, type ReplyFacts, type Result } from './call';
export {
  createClient,
  type Client,
  type ClientOptions,
  type Credential,
  type FetchInit,
  type FetchLike,
  type FetchReply,
  type WebSocketLike,
} from './client';
export {
  ApiError,
  ClientError,
  TollbridgeError,
  type ClientErrorCode,
  type ErrorFacts,
  type ErrorOf,
} from './errors';
export type { StreamMessage, StreamOptions } from './event-stream';
export type { ErrorCode, ErrorDetails, ErrorStatus } from './generated/errors';
export * from './generated/operations';
export type * from './generated/schemas';
export type { WebhookEvent, WebhookType } from './generated/webhooks';
export type { ListCall } from './list';
export type { SocketOptions } from './socket-stream';
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifiedWebhook,
  type WebhookHeaders,
  type WebhookOptions,
  type WebhookRejection,
} from './verify-webhook';
