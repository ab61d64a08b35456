export { MemoryEnclave, type MemoryEnclaveOptions } from './memory-enclave';
