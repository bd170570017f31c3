/** How shares of CPU are enforced: by kernel weights, or by quotas. */
export const enforcements = ['elastic', 'strict'] as const
export type Enforcement = (typeof enforcements)[number]
