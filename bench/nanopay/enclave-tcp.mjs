// Where guards of a benchmark reach the enclave without the bus.
import { randomBytes } from 'node:crypto';
import { freePort } from '../../tools/local/ports.mjs';

/** As `tcpTransport` takes it. */
export const chooseTcp = async () => ({
  host: '127.0.0.1',
  port: await freePort(),
  token: randomBytes(16).toString('hex'),
});

/** The same for the enclave. */
export const tcpSettings = ({ port, token }) => ({ TEE_TCP_TOKEN: token, TEE_TCP_PORT: String(port) });
