import { ProviderHook, ProviderHookTaken } from '@tollbridge/contracts';
import { declareLike, declareRoute, type OwnRoute } from '../routes/gateway-route';

// A provider calls from few addresses. Even for a shop with ten purchases per second, it sends fewer webhooks.
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

/** Undocumented, because only providers call these paths. Both share one limit. */
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
