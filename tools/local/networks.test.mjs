import assert from 'node:assert/strict';
import { it } from 'node:test';
import { allNetworks, chosenNetworks } from './networks.mjs';

it('starts all networks unless some are listed', () => {
  assert.deepEqual(chosenNetworks(undefined), allNetworks);
  assert.deepEqual(chosenNetworks(''), allNetworks);
  assert.deepEqual(chosenNetworks('sui,ton'), ['ton', 'sui']);
  assert.deepEqual(chosenNetworks('none'), []);
});

it('names the unknown networks in the error', () => {
  assert.throws(() => chosenNetworks('ton,bitcoin, sui'), /bitcoin,  sui; it must be "none", or some of ton/);
});
