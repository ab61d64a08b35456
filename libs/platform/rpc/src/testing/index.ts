export { anEventEnvelope } from './event-envelope.builder';
