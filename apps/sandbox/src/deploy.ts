import { loadConfig, text } from '@tollbridge/config';
import { evmNodesSetting, networksSetting, parseNetworks, parseNodes, simulatorsUrlSetting } from './config';
import { toChainsFile, deployLocalChains, readDeploymentIfAny } from './deployment/deploy-chains';
import { writePrivateFile } from './deployment/local-deployment';
import { networkEntries } from './networks/networks';

/** Deploys the contracts of the local chains, and writes the two files that describe them for the apps. */
async function deploy(): Promise<void> {
  const config = loadConfig({
    SANDBOX_EVM_NODES: evmNodesSetting,
    SANDBOX_NETWORKS: networksSetting,
    SANDBOX_SIMULATORS_PUBLIC_URL: simulatorsUrlSetting,
    SANDBOX_WORLD_FILE: text({
      description: 'output file that describes the local deployment',
      example: './.tollbridge/world.json',
    }),
    CHAINS_FILE: text({
      description: 'output file that lists the chains for the services',
      example: './.tollbridge/chains.json',
    }),
  });
  if (config.environment !== 'sandbox')
    throw new Error('Deploying local chains requires TOLLBRIDGE_ENV=sandbox.');
  const deployment = await deployLocalChains(
    parseNodes(config.SANDBOX_EVM_NODES),
    readDeploymentIfAny(config.SANDBOX_WORLD_FILE),
  );
  writePrivateFile(config.SANDBOX_WORLD_FILE, deployment);
  const names = parseNetworks(config.SANDBOX_NETWORKS);
  const networks = await networkEntries(names, config.SANDBOX_SIMULATORS_PUBLIC_URL);
  writePrivateFile(config.CHAINS_FILE, toChainsFile(deployment, networks));
  for (const { caip2, payContract, payoutContract } of deployment.chains)
    process.stdout.write(`${caip2}: payment contract ${payContract}, payout contract ${payoutContract}\n`);
  for (const { chain, payContract } of networks)
    process.stdout.write(`${chain}: payment contract ${payContract}\n`);
}

deploy().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
