import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Machine } from '../../core/cpu/machine.ts'
import { readSysMachine } from '../../core/cpu/read-topology/from-sys.ts'

/** The machine whose files are in the folder: for this one `/sys/devices/system`. */
export function readMachine(folder: string): Machine {
  return readSysMachine((path) => {
    try {
      return readFileSync(join(folder, path), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  })
}
