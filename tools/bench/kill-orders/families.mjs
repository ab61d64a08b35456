// The chain families that a drill pays on.
import { allNetworks } from '../../local/networks.mjs';

export const allFamilies = ['evm', ...allNetworks];

/**
 * @param {string | undefined} text comma-separated names; undefined selects all families
 * @returns {string[]} in the order of `allFamilies`; throws for an unknown name
 */
export function chosenFamilies(text) {
  if (!text) return allFamilies;
  const names = text.split(',');
  const unknown = names.filter((name) => !allFamilies.includes(name));
  if (unknown.length > 0)
    throw new Error(`--families has ${unknown.join(', ')}; it must be some of ${allFamilies.join(',')}`);
  return allFamilies.filter((name) => names.includes(name));
}

/** @param {string[]} families @returns {string} the value of SANDBOX_NETWORKS that starts them */
export const networksOf = (families) => families.filter((name) => name !== 'evm').join(',') || 'none';
