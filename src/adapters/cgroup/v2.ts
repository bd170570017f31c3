import { join } from 'node:path'

import type { CpuCounters } from '../../core/demand/reading.ts'
import { keepFiles } from './kept-files.ts'
import { parseCpuMax, parseCpuStatV2, parseWeight } from './parse.ts'

export function openV2(folder: string) {
  const files = keepFiles({
    stat: join(folder, 'cpu.stat'),
    max: join(folder, 'cpu.max'),
    weight: join(folder, 'cpu.weight'),
  })
  const read = (): CpuCounters | undefined => {
    const texts = files?.read()
    if (texts === undefined) return undefined
    return {
      ...parseCpuStatV2(texts.stat),
      ...parseCpuMax(texts.max),
      weight: parseWeight(texts.weight),
    }
  }
  return files && { read, close: files.close }
}
