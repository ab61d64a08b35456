/** Status of a payment request. */
export const paymentRequestStatuses = ['pending', 'processing', 'completed', 'expired', 'canceled'] as const;
export type PaymentRequestStatus = (typeof paymentRequestStatuses)[number];

/** Status of a payment, one execution of a payment request. */
export const paymentStatuses = ['executing', 'completed', 'failed', 'expired'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Route of a payment, from the payer's token to the merchant's. */
export const executionStrategies = ['direct', 'swap', 'bridge', 'swap_and_bridge'] as const;
export type ExecutionStrategy = (typeof executionStrategies)[number];

export const paymentStepTypes = ['swap', 'bridge', 'transfer'] as const;
export type PaymentStepType = (typeof paymentStepTypes)[number];

export const paymentStepStatuses = ['pending', 'executing', 'completed', 'failed'] as const;
export type PaymentStepStatus = (typeof paymentStepStatuses)[number];

export const paymentRequestIdExample = '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31';
export const paymentIdExample = '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20';
