export { Across, type AcrossOptions } from './across.adapter';
export { acrossSettings } from './across.config';
