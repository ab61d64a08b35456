import { eventually } from '@tollbridge/testing';
import { RawConnection } from '../testing/raw-connection';
import { GatewayHarness } from '../testing/gateway-harness';

let harness: GatewayHarness;
let port: number;

async function listen(most: number, proxies = ''): Promise<void> {
  harness = await GatewayHarness.open({
    config: { GATEWAY_MAX_CONNECTIONS_PER_ADDRESS: most, GATEWAY_TRUSTED_PROXIES: proxies },
  });
  port = await harness.listen();
}
afterEach(async () => {
  harness.server.server.closeAllConnections();
  await harness.close();
});

/** Whether a new connection is served. The connection stays open. */
async function isServed(): Promise<[boolean, RawConnection]> {
  const connection = await RawConnection.open(port);
  connection.send('GET /samples HTTP/1.1\r\nhost: gateway\r\n\r\n');
  await eventually(() => expect(connection.isClosed || connection.received !== '').toBe(true));
  return [connection.received.startsWith('HTTP/1.1 200 '), connection];
}
async function servedOf(count: number): Promise<[number, RawConnection[]]> {
  const all: [boolean, RawConnection][] = [];
  for (let at = 0; at < count; at++) all.push(await isServed());
  return [all.filter(([served]) => served).length, all.map(([, connection]) => connection)];
}

it('closes connections above the limit of their address, and accepts new ones when others end', async () => {
  await listen(5);
  const [served, connections] = await servedOf(8);
  expect(served).toBe(5);
  expect(await harness.metrics.registry.metrics()).toMatch(
    /tollbridge_gateway_connections_rejected_total\S* 3\n/,
  );
  const warnings = harness.logged.filter(
    ({ msg }) => msg === 'connection rejected: too many from one address',
  );
  expect(warnings).toEqual([expect.objectContaining({ network: '127.0.0.0/24', most: 5 })]);

  for (const connection of connections.slice(0, 2)) connection.abort();
  await eventually(async () => expect((await isServed())[0]).toBe(true));
});

it.each([
  ['of trusted proxies', 1, '127.0.0.0/8'],
  ['when it is 0', 0, ''],
])('does not limit connections %s', async (_what, most, proxies) => {
  await listen(most, proxies);
  expect((await servedOf(20))[0]).toBe(20);
});
