const { createHash } = require('node:crypto');

/**
 * The part of jssha that @ton/crypto uses, by Node. TON hashes each cell: that took a sixth of the processor time of
 * the tests that use TON.
 */
module.exports = class {
  constructor(variant, format) {
    if (variant !== 'SHA-256' || format !== 'HEX')
      throw new Error(`Unknown hash ${variant} of ${format}. Extend tools/checks/sha256.cjs.`);
    this.hash = createHash('sha256');
  }

  update(hex) {
    this.hash.update(hex, 'hex');
    return this;
  }

  getHash() {
    return this.hash.digest('hex');
  }
};
