export { LiFi, type LiFiOptions } from './lifi.adapter';
export { lifiSettings } from './lifi.config';
