export { ExchangeAbort, untilAborted } from './exchange-abort';
export { httpSender, type HttpReply, type SendHttp } from './http-sender';
export { providerActivity, type ProviderListener } from './provider-activity';
export { ProviderClient, type ProviderClientOptions } from './provider-client';
export { OversizedReply, ProviderError, type ProviderErrorKind } from './provider-error';
export type { ProviderRequest } from './provider-request';
export { fieldsOf, readReply, UnreadableReply, type Fields } from './read-reply';
