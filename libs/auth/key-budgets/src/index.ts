export * from './key-budgets';
export * from './key-budgets.module';
