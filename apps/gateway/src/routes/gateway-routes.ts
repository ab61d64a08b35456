import { features } from '@tollbridge/contracts';
import type { Environment } from '@tollbridge/config';
import type { Feature, Operation } from '@tollbridge/rpc';
import { dashboardRoutes } from '../dashboard/dashboard.routes';
import { demoRoutes } from '../demo/demo.routes';
import { discoveryRoutes } from '../discovery/discovery.routes';
import { documentRoutes } from '../documents/documents.routes';
import { exportRoutes } from '../exports/exports.routes';
import { healthRoutes } from '../health/health.routes';
import { liveStateRoutes } from '../live-state/live-state.routes';
import { logoRoutes } from '../logos/logos.routes';
import { mcpRoutes } from '../mcp/mcp.routes';
import { changeAttempt, readRequestState } from '../pages/checkout/attempt-pages';
import { readApproval } from '../pages/checkout/approval-pages';
import { checkoutRoutes } from '../pages/checkout/checkout.routes';
import { startFirstPayment } from '../pages/checkout/first-payment';
import { payLinkRoutes } from '../pages/paylinks/paylink.routes';
import { useSandboxPanel } from '../pages/checkout/sandbox-panel-pages';
import { paymentFrameRoutes } from '../payment-frames/payment-frames.routes';
import { providerHookRoutes } from '../provider-hooks/provider-hooks.routes';
import { siteRoutes } from '../site/site.routes';
import { solanaPayRoutes } from '../solana-pay/solana-pay.routes';
import { streamRoutes } from '../stream/stream.routes';
import { webRoutes } from '../web/web.routes';
import type { GatewayRoute, OperationRoute, OwnRoute } from './gateway-route';

/** The routes that the gateway answers by its own code. */
const ownRoutes: readonly OwnRoute[] = [
  ...exportRoutes,
  ...paymentFrameRoutes,
  ...demoRoutes,
  ...streamRoutes,
  ...liveStateRoutes,
  ...checkoutRoutes,
  ...payLinkRoutes,
  startFirstPayment,
  useSandboxPanel,
  readApproval,
  changeAttempt,
  readRequestState,
  ...solanaPayRoutes,
  ...providerHookRoutes,
  ...healthRoutes,
  ...logoRoutes,
  ...documentRoutes,
  ...webRoutes,
  ...siteRoutes,
  ...dashboardRoutes,
  ...mcpRoutes,
  ...discoveryRoutes,
];

/** Every route of the gateway. Admission, the OpenAPI document and the registered routes are derived from this list. */
export function gatewayRoutes(environment: Environment): GatewayRoute[] {
  const all = [...features.flatMap(operationRoutes), ...ownRoutes];
  return all.filter(({ declaration }) => environment === 'sandbox' || !declaration.isSandboxOnly);
}

export function operationRoutes(feature: Feature): OperationRoute[] {
  const declarations = Object.values(feature.operations) as Operation[];
  return declarations.flatMap((declaration): OperationRoute[] => {
    const route = { kind: 'operation' as const, declaration, feature };
    const { soldAt: path, operationId } = declaration;
    if (path === undefined) return [route];
    const sold = { ...declaration, path, soldAt: undefined, operationId: `${operationId}BySale` };
    return [route, { ...route, declaration: sold, isSalePath: true }];
  });
}
