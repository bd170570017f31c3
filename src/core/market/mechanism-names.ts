/** Apart from the mechanisms themselves: who only names them need not load them. */
export const mechanismNames = ['nash', 'kalai-smorodinsky', 'primal-dual'] as const
export type MechanismName = (typeof mechanismNames)[number]
