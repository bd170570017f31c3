import { age } from './columns.ts'
import type { KindRules } from './kind-rules.ts'

export const serviceAccountRules: KindRules = {
  strategy: {},
  columns: [age],
  selectableFields: {},
  hasGeneration: false,
}
