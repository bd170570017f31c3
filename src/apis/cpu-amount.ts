import { parseMillicores } from '../core/quantity.ts'
import { type Millicores, millicores } from '../core/units.ts'

/** A quantity as Kubernetes writes it, or a bare number of millicores. */
export const parseCpu = (value: string | number): Millicores =>
  typeof value === 'string' ? parseMillicores(value) : millicores(value)
