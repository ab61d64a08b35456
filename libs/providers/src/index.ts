export { ProviderClient, type ProviderClientOptions, type ProviderRequest } from './provider-client';
export { ProviderError, type ProviderErrorKind } from './provider-error';
