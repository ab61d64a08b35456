import { EventVerifier, type EventSigning } from '../events/event-signatures';
import { developmentIdentity } from '../bus/service-identity';

export const signingOf = (app: string, ...receivers: string[]): EventSigning => ({
  identity: developmentIdentity(app),
  receivers,
});

export const verifierOf = (app: string): EventVerifier => new EventVerifier(developmentIdentity(app));
