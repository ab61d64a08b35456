import { type AddressFormat, unownedAddress, accept, reject } from './format';

const implicit = /^[0-9a-f]{64}$/;
const namePart = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const maxLength = 64;

// Names of other systems that match NEAR's grammar, and could be confused with NEAR accounts.
const foreignName = /\.(?:eth|sol|ton|sui|apt|stark|xrp|base|bnb|com|org|net|io)$/;

/**
 * NEAR account names: a dotted name, or for an implicit account the public key in hexadecimal. They have no checksum.
 * Names without a dot are rejected: they belong to the network's contracts, and would match lower-case bech32 of other
 * chains.
 */
export const nearFormat: AddressFormat = {
  label: 'a NEAR',
  looksLike: /^(?:[0-9a-f]{64}|[^.:/@]+(?:\.[^.:/@]+)+)$/,
  shape: 'the account must be a name such as alice.near, or 64 lower-case hexadecimal digits',
  hasChecksum: false,
  read(text, isTestnet) {
    if (implicit.test(text)) {
      return /^0+$/.test(text) ? reject(unownedAddress) : accept(text);
    }
    if (text.length > maxLength || !text.split('.').every((part) => namePart.test(part))) {
      return reject(
        'an account name has 2 to 64 characters: lower-case letters and digits, with single dots, hyphens or underscores between them',
      );
    }
    if (foreignName.test(text)) {
      return reject('this name belongs to another network or to the web; give the NEAR account itself');
    }
    if (text.endsWith('.testnet') !== isTestnet) {
      return reject(
        isTestnet
          ? 'this account is on the NEAR main network; the order is on the test network'
          : 'this account is on the NEAR test network; the order is on the main network',
      );
    }
    return accept(text);
  },
};
