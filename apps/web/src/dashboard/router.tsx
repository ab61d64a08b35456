import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { NotFound } from './parts/not-found';
import { PageError } from './parts/page-error';
import { PageSkeleton } from './parts/skeleton';
import { Shell } from './shell/shell';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const parent = () => root;

/** The filters of a list are in its URL, so that it can be shared and bookmarked. */
const textFilters = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      value === '' || value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  );

const routeTree = root.addChildren([
  createRoute({
    getParentRoute: parent,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/overview/overview')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/transactions',
    validateSearch: textFilters,
    component: lazyRouteComponent(() => import('./pages/transactions/transactions')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/transactions/$id',
    component: lazyRouteComponent(() => import('./pages/transactions/transaction-details')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/requests',
    component: lazyRouteComponent(() => import('./pages/requests/requests')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/paylinks',
    component: lazyRouteComponent(() => import('./pages/paylinks/paylinks')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/paylinks/$id',
    component: lazyRouteComponent(() => import('./pages/paylinks/paylink-details')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/exceptions',
    validateSearch: textFilters,
    component: lazyRouteComponent(() => import('./pages/exceptions/exceptions')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/webhooks',
    validateSearch: textFilters,
    component: lazyRouteComponent(() => import('./pages/webhooks/webhooks')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/keys',
    component: lazyRouteComponent(() => import('./pages/keys/keys')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/nano',
    component: lazyRouteComponent(() => import('./pages/nano/nano')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/ledger',
    component: lazyRouteComponent(() => import('./pages/ledger/ledger')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/payouts',
    validateSearch: textFilters,
    component: lazyRouteComponent(() => import('./pages/payouts/payouts')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/payouts/$id',
    component: lazyRouteComponent(() => import('./pages/payouts/payout-details')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/services',
    component: lazyRouteComponent(() => import('./pages/services/services')),
  }),
  createRoute({
    getParentRoute: parent,
    path: '/settings',
    component: lazyRouteComponent(() => import('./pages/settings/settings')),
  }),
]);

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
