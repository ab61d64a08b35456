import { authApi } from '@tollbridge/contracts';
import { declareLike, declareRoute, openRoute, type OwnRoute } from '../routes/gateway-route';

/** The path of the dashboard's session. */
export const sessionPath = '/dashboard/session';

const { verifyChallenge, listSessions } = authApi.operations;

const signIn: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(verifyChallenge, 'signInToDashboard', {
    path: sessionPath,
    summary: 'Sign in to the dashboard: takes what POST /api/auth/verify takes, and sets the cookie',
    description: '',
  }),
};

const readSession: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(listSessions, 'readDashboardSession', {
    path: sessionPath,
    summary: 'Read who is signed in to the dashboard',
  }),
};

const signOut: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareLike(listSessions, 'signOutOfDashboard', {
    method: 'DELETE',
    path: sessionPath,
    summary: 'Revoke the session of the dashboard, and delete its cookie',
  }),
};

export const signInAsDemo: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareRoute('dashboard', 'signInAsDemo', {
    method: 'POST',
    path: `${sessionPath}/demo`,
    summary: 'Sign in to the dashboard as the demo merchant',
    isSandboxOnly: true,
    isSignIn: true,
  }),
};

/**
 * Requests are counted by address. The handler verifies the session, because a frame cannot send the dashboard's
 * header.
 */
const previewCheckout: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareRoute('dashboard', 'previewCheckout', {
    method: 'GET',
    path: '/dashboard/preview',
    summary: 'Show the checkout with unsaved settings in a frame of the dashboard',
  }),
};

export const dashboardRoutes: readonly OwnRoute[] = [
  openRoute('dashboard', 'openDashboard', '/dashboard', 'Open the dashboard'),
  openRoute('dashboard', 'openDashboardPage', '/dashboard/*', 'Open a page of the dashboard'),
  openRoute('dashboard', 'readLinkCode', '/dashboard/qr/{id}', 'Read the QR code of the page of a PayLink'),
  previewCheckout,
  signIn,
  readSession,
  signOut,
  signInAsDemo,
];
