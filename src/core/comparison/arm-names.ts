/** Who may be compared, in the order of tables. */
export const armNames = [
  'static',
  'static-burst',
  'unlimited',
  'by-weight',
  'by-hand',
  'small-batch',
  'vpa',
  'koordinator',
  'captain',
  'captain-0.06',
  'captain-0.2',
  'oracle',
  'mbcas',
] as const
export type ArmName = (typeof armNames)[number]
