export * from './environment';
export * from './redis-tls';
export * from './rotating-secret';
export { readSecret } from './secret-files';
export * from './server-kinds';
export * from './server-urls';
export * from './settings';
export { readTlsFiles, tlsFilesOf, tlsSettings, type TlsFiles, type TlsMaterial } from './tls-settings';
