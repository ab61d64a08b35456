import { appNames } from '../local/apps.mjs';

/** The apps that have a production image. */
export const productionApps = appNames.filter((app) => app !== 'sandbox');
