/** The environment of all rules: what Kubernetes adds to CEL. Made once; rules are compiled in clones. */
import { Environment } from '@marcbachmann/cel-js'

import { registerLists } from './lists.ts'
import { registerMacros } from './macros.ts'
import { registerNetwork } from './network.ts'
import { registerQuantity } from './quantity.ts'
import { registerStrings } from './strings.ts'

/** To be cloned; cloning ends its registrations. */
export const baseEnvironment = createBase()

function createBase(): Environment {
  const env = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  registerMacros(env)
  registerStrings(env)
  registerLists(env)
  registerQuantity(env)
  registerNetwork(env)
  return env
}
