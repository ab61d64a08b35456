// A TCP address that connects the paywalls of a benchmark to the payment ledger without the bus.
import { randomBytes } from 'node:crypto';
import { freePort } from '../../local/ports.mjs';

/** Returns options for `tcpTransport`. */
export const chooseTcp = async () => ({
  host: '127.0.0.1',
  port: await freePort(),
  token: randomBytes(16).toString('hex'),
});

/** Returns the same options as settings of the payment ledger. */
export const tcpSettings = ({ port, token }) => ({ TEE_TCP_TOKEN: token, TEE_TCP_PORT_NUMBER: String(port) });
