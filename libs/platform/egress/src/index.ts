export { addressKind, type AddressKind } from './address-kind';
export { problemOfUrl, type Reach } from './destination';
export { EgressError, type EgressFailure } from './egress-error';
export { Outbound, type OutboundOptions, type OutboundReply, type OutboundRequest } from './outbound';
export { resolveName, type ResolvedAddress } from './resolve-name';
export { retryAfterOf } from './retry-after';
