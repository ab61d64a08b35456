import { EventVerifier, type EventSigning } from '../event-signatures';
import { developmentIdentity } from '../service-identity';

export const signingOf = (app: string, ...receivers: string[]): EventSigning => ({
  identity: developmentIdentity(app),
  receivers,
});

export const verifierOf = (app: string): EventVerifier => new EventVerifier(developmentIdentity(app));
