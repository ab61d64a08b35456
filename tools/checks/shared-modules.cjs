const { readFileSync } = require('node:fs');
const { join, sep } = require('node:path');

const packages = `${sep}node_modules${sep}`;
const product = ['apps', 'libs'].map((folder) => join(__dirname, '../..', folder, sep));
// Tests, and modules that keep the state of a test file.
const ofTests = /\.(spec|cases)\.ts$|[\\/]testing[\\/]|[\\/]libs[\\/]dev[\\/]/;

// Calls that replace modules for one file.
const replacing = /\bjest\.(mock|doMock|resetModules|isolateModules)\b/;

/**
 * Whether a test file runs with the product modules that earlier files of its process have loaded.
 * @param {string} path of the test file
 */
exports.sharesModules = (path) => !replacing.test(readFileSync(path, 'utf8'));

/**
 * Whether a module is loaded once per process, depending on whether the test file shares the product modules.
 * @param {string} path
 * @param {boolean} sharesProduct
 */
exports.isShared = (path, sharesProduct) =>
  path.includes(packages) ||
  (sharesProduct && product.some((folder) => path.startsWith(folder)) && !ofTests.test(path));
