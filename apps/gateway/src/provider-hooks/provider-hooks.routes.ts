import { ProviderHook, ProviderHookTaken } from '@tollbridge/contracts';
import { declareLike, declareRoute, type OwnRoute } from '../routes/gateway-route';

// A provider calls from few addresses; a shop with ten purchases a second sends fewer.
const hooksPerMinute = 1_000;

const takeHook = declareRoute('hooks', 'takeHook', {
  method: 'POST',
  path: '/hooks/{provider}',
  summary: 'Receive a webhook of a provider',
  input: ProviderHook,
  output: ProviderHookTaken,
  errors: ['UNAUTHORIZED', 'NOT_FOUND'],
  callsPerMinute: hooksPerMinute,
});

/** Undocumented: only providers call them. Both forms share one limit. */
export const receiveHookRoute: OwnRoute = { kind: 'own', isAdmitted: true, declaration: takeHook };
export const receiveHookWithTokenRoute: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(takeHook, 'takeHookWithToken', {
    path: '/hooks/{provider}/{token}',
    pathFields: ['provider', 'token'],
  }),
};

export const providerHookRoutes = [receiveHookRoute, receiveHookWithTokenRoute];
