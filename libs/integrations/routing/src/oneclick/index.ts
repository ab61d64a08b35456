export { OneClick, type OneClickOptions } from './oneclick.adapter';
export { oneClickSettings } from './oneclick.config';
