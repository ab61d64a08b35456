import { appNames } from '../local/apps.mjs';

/** The apps with an image for production. */
export const productionApps = appNames.filter((app) => app !== 'sandbox');
