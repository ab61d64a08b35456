import { ofNetworks } from './mutations/networks.mjs';
import { ofPods } from './mutations/pods.mjs';
import { ofProduction } from './mutations/production.mjs';
import { ofReferences } from './mutations/references.mjs';
import { ofScale } from './mutations/scale.mjs';
import { ofSettings } from './mutations/settings.mjs';

/**
 * Mistakes that an operator could make in the overlays, and the problem that the checks must report for each. They
 * change the documents of the rendered overlay.
 * @typedef {object} Mutation
 * @property {string} name
 * @property {'sandbox' | 'production'} [overlay] production by default
 * @property {(find: Find, documents: any[]) => void} change
 * @property {RegExp} problem
 */

/** @typedef {(kind: string, name: string) => any} Find */

export const mutations = [
  ...ofPods,
  ...ofSettings,
  ...ofNetworks,
  ...ofReferences,
  ...ofScale,
  ...ofProduction,
];
