import { declareRoute, openRoute, type OwnRoute } from '../routes/gateway-route';

/** Outside the sandbox, metrics are available only on the management port, which clients cannot reach. */
export const metricsRoute: OwnRoute = {
  kind: 'own',
  isAdmitted: false,
  declaration: declareRoute('health', 'readMetrics', {
    method: 'GET',
    path: '/metrics',
    summary: 'Read the metrics of the gateway',
    isSandboxOnly: true,
  }),
};

export const healthRoutes: readonly OwnRoute[] = [
  openRoute('health', 'readLiveness', '/health/live', 'Whether the process runs'),
  openRoute('health', 'readReadiness', '/health/ready', 'Whether the gateway can serve requests'),
  openRoute('health', 'readServices', '/health/services', 'Which services are up, and since when'),
  metricsRoute,
];
