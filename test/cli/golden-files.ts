import { join } from 'node:path'

import { root } from '../run.ts'

export const goldenFolder = join(root, 'test', 'cli', 'golden')
export const goldenPath = (name: string): string => join(goldenFolder, `${name}.txt`)
