// Signs events as an app does.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * @param {{ identitySecrets: Record<string, string>, identitiesFile: string }} deployment
 * @param {string} app the publishing app
 * @returns {(subject: string, text: string) => { data: Buffer, headers: import('nats').MsgHdrs }} the signed message
 */
export function eventSigner({ identitySecrets, identitiesFile }, app) {
  require('reflect-metadata');
  const { declaredStreams } = require('@tollbridge/contracts');
  const { eventHeaders, readIdentityDirectory, ServiceIdentity } = require('@tollbridge/rpc');
  const directory = readIdentityDirectory(readFileSync(identitiesFile, 'utf8'));
  const identity = new ServiceIdentity(app, identitySecrets[app].split(','), directory);
  const { receivers } = declaredStreams.find((stream) => stream.app === app);
  return (subject, text) => {
    const data = Buffer.from(text);
    return { data, headers: eventHeaders({ subject, data }, { signing: { identity, receivers } }) };
  };
}
