/** The time of this machine in microseconds, for both ends of what is measured. */
export const nowMicros = () => Math.round((performance.timeOrigin + performance.now()) * 1_000);
