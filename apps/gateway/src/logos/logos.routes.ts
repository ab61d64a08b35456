import { openRoute, type OwnRoute } from '../routes/gateway-route';

export const logoRoutes: readonly OwnRoute[] = [
  openRoute('logos', 'readLogo', '/logos/*', 'Read the logo of a chain or token'),
  openRoute('logos', 'readStoreLogo', '/assets/logos/{hash}', 'Read the logo of a shop'),
];
