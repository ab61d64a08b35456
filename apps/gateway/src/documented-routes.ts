import { demoRoute } from './demo/demo-routes';
import { exportRoute } from './exports/export-routes';
import { streamRoute } from './http/static-routes';
import type { DocumentedRoute } from './openapi/documented-route';
import { checkoutPages } from './pages/checkout-routes';
import { payLinkPage } from './pages/paylink-page';
import { framesRoute } from './payments/payment-frames';

/** Every documented route that is no operation of the bus. */
export const documentedRoutes: readonly DocumentedRoute[] = [
  ...[exportRoute, framesRoute, demoRoute, streamRoute],
  ...checkoutPages,
  ...payLinkPage,
];
