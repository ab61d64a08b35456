// Calls operations over the bus, with the signatures of an app.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * @param deployment `natsUrl` of a user with all rights; `identitySecrets` by app, and `identitiesFile` with their
 * public keys
 * @returns `call(operation, input, principal)`, which returns the output or throws the failure, and `close`
 */
export async function openBusCaller({ natsUrl, identitySecrets, identitiesFile }) {
  const { AnyCaller } = require('@tollbridge/contracts');
  const { BusClient, BusConnection, callContext, readIdentityDirectory } = require('@tollbridge/rpc');
  const directory = readIdentityDirectory(readFileSync(identitiesFile, 'utf8'));
  const identity = new AnyCaller((app) => identitySecrets[app].split(',')[0], directory);
  const bus = await BusConnection.open({ app: 'operator', url: natsUrl });
  const client = new BusClient(bus, identity);
  return {
    call: (operation, input, principal) =>
      client.call(operation, input, callContext(principal ? { principal } : {})),
    close: () => {
      client.close();
      return bus.close();
    },
  };
}
