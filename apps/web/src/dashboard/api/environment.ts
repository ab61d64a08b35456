export const isSandbox = (): boolean => document.getElementById('app')?.dataset['environment'] === 'sandbox';
