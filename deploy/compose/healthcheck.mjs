// Checks whether the app in this container is ready, on its management port, for example
// GATEWAY_MANAGEMENT_PORT_NUMBER.
const [, port] = Object.entries(process.env).find(([name]) => name.endsWith('_MANAGEMENT_PORT_NUMBER')) ?? [];
if (!port)
  throw new Error(
    'Set the management port of the app: GATEWAY_MANAGEMENT_PORT_NUMBER, PAY_ORDERS_MANAGEMENT_PORT_NUMBER, …',
  );
const reply = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2_500) });
if (!reply.ok) throw new Error(await reply.text());
