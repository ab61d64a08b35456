export { ExchangeAbort, untilAborted } from './exchange-abort';
export { httpSender, type HttpReply, type SendHttp } from './http-sender';
export { providerActivity, type ProviderListener } from './provider-activity';
export { ProviderClient, type ProviderClientOptions } from './provider-client';
export {
  jsonRpcBody,
  jsonRpcRequest,
  readJsonRpcReplies,
  readJsonRpcReply,
  type JsonRpcReplies,
  type JsonRpcReply,
  type JsonRpcRequest,
} from './json-rpc';
export { OversizedReply, ProviderError, type ProviderErrorKind } from './provider-error';
export type { ProviderRequest } from './provider-request';
export { readReply, readReplyAsync } from './read-reply';
export {
  isAbsent,
  parseExactJson,
  readAmount,
  readAmountNumber,
  readBoolean,
  readCount,
  readFields,
  readList,
  readOptional,
  readText,
  readTextLike,
  UnreadableReply,
  type Fields,
} from './reply-fields';
