import { loadConfig, text } from '@tollbridge/config';
import { deploymentsOf, deployWorld, readWorldIfAny, type Node } from './world/deploy-world';
import { writePrivately } from './world/world';

/** Puts the contracts of the local world on its nodes and writes the two files by which the apps know them. */
async function deploy(): Promise<void> {
  const config = loadConfig({
    SANDBOX_EVM_NODES: text({
      description: 'local nodes: chain id=URL, comma-separated',
      example: '8453=http://127.0.0.1:8545',
    }),
    SANDBOX_WORLD_FILE: text({
      description: 'where to describe the world',
      example: './.tollbridge/world.json',
    }),
    CHAINS_FILE: text({
      description: 'where to list the chains for the services',
      example: './.tollbridge/chains.json',
    }),
  });
  if (config.environment !== 'sandbox')
    throw new Error('The local world belongs to TOLLBRIDGE_ENV=sandbox only.');
  const world = await deployWorld(
    nodesOf(config.SANDBOX_EVM_NODES),
    readWorldIfAny(config.SANDBOX_WORLD_FILE),
  );
  writePrivately(config.SANDBOX_WORLD_FILE, world);
  writePrivately(config.CHAINS_FILE, deploymentsOf(world));
  for (const { caip2, payContract } of world.chains)
    process.stdout.write(`${caip2}: payment contract ${payContract}\n`);
}

function nodesOf(list: string): Node[] {
  return list.split(',').map((item) => {
    const [chainId = '', ...url] = item.split('=');
    const rpcUrl = url.join('=');
    if (!/^\d+$/.test(chainId) || !URL.canParse(rpcUrl))
      throw new Error(`SANDBOX_EVM_NODES: ${item} is not chain id=URL`);
    return { chainId: Number(chainId), rpcUrl };
  });
}

deploy().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
