/**
 * Sets of CPUs as ascending lists of ids without repeats, and the kernel's list format (cpuset(7)).
 *
 *   text        set              written back
 *   0-3,8       0 1 2 3 8        0-3,8
 *   5,4,4-6     4 5 6            4-6
 *   (nothing)   none             (nothing)
 */
import { InvalidInput } from '../errors.ts'

export type CpuSet = readonly number[]

export const noCpus: CpuSet = []

/** Beyond the 8,192 of the largest kernels: what a text may ask for must not fill the memory. */
export const MOST_CPU_ID = 65_535

const RANGE = /^(\d{1,5})(?:-(\d{1,5}))?$/

export function parseCpuSet(text: string): CpuSet {
  if (text === '') return noCpus
  const ids = new Set<number>()
  for (const part of text.split(',')) addRange(ids, part, text)
  return cpuSet(ids)
}

function addRange(ids: Set<number>, part: string, text: string): void {
  const [, from = '', to = from] = RANGE.exec(part) ?? []
  const [first, last] = [Number(from), Number(to)]
  if (from === '' || first > last || last > MOST_CPU_ID) {
    throw new InvalidInput(
      `parsing CPUs "${shorten(text)}": expected a list such as 0-3,8 with ids up to ${MOST_CPU_ID}, got "${shorten(part)}"`,
    )
  }
  for (let id = first; id <= last; id++) ids.add(id)
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text)

export function formatCpuSet(cpus: CpuSet): string {
  const parts: string[] = []
  for (let i = 0; i < cpus.length;) {
    let end = i
    while (cpus[end + 1] === (cpus[end] as number) + 1) end += 1
    parts.push(end === i ? `${cpus[i]}` : `${cpus[i]}-${cpus[end]}`)
    i = end + 1
  }
  return parts.join(',')
}

/** From ids in any order, also repeated ones. */
export const cpuSet = (ids: Iterable<number>): CpuSet => [...new Set(ids)].toSorted((a, b) => a - b)

export function unionOf(...sets: readonly CpuSet[]): CpuSet {
  const filled = sets.filter(({ length }) => length > 0)
  return filled.length < 2 ? (filled[0] ?? noCpus) : cpuSet(filled.flat())
}

export function without(cpus: CpuSet, gone: CpuSet): CpuSet {
  const leave = new Set(gone)
  return cpus.filter((cpu) => !leave.has(cpu))
}

export function intersectionOf(cpus: CpuSet, others: CpuSet): CpuSet {
  const keep = new Set(others)
  return cpus.filter((cpu) => keep.has(cpu))
}

export const equalSets = (a: CpuSet, b: CpuSet): boolean =>
  a.length === b.length && a.every((cpu, i) => cpu === b[i])
