export * from './environment';
export * from './settings';
