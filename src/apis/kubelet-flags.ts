/** Options of a kubelet's managers as its flags write them, both ways. */
import type { GivenOptions } from '../core/cpu/static-policy/options.ts'
import { InvalidInput } from '../core/errors.ts'
import { formatBytes } from '../core/quantity.ts'
import type { Bytes } from '../core/units.ts'
import { readAmounts } from './amounts.ts'

/** `full-pcpus-only,max-allowable-numa-nodes=16`: a name alone is switched on. */
export function parseOptions(text: string): GivenOptions {
  const parts = text.split(',').map((part) => part.trim())
  return Object.fromEntries(
    parts
      .filter((part) => part !== '')
      .map((part) => {
        const [name = '', value = 'true'] = part.split('=', 2)
        return [name, value]
      }),
  )
}

export const formatOptions = (options: GivenOptions): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')

/** `0:memory=1Gi,hugepages-2Mi=64Mi;1:memory=2Gi`, as `--reserved-memory` of the kubelet. */
export function parseReservedMemory(text: string): Map<number, Record<string, Bytes>> {
  const reserved = new Map<number, Record<string, Bytes>>()
  for (const part of text.split(';')) {
    const [, digits, amounts = ''] = /^(\d+):(.*)$/.exec(part) ?? []
    if (digits === undefined) {
      throw new InvalidInput(`reserved memory: expected such as 0:memory=1Gi, got "${part}"`)
    }
    const node = Number(digits)
    if (reserved.has(node)) {
      throw new InvalidInput(`reserved memory: expected NUMA node ${node} once, got it twice`)
    }
    reserved.set(node, parseReserve(amounts, `reserved memory of NUMA node ${node}`))
  }
  return reserved
}

/** A kubelet starts with nothing else. */
function parseReserve(text: string, place: string): Record<string, Bytes> {
  const amounts = parseAmounts(text, place)
  for (const [resource, amount] of Object.entries(amounts)) {
    if (!/^memory$|^hugepages-/.test(resource)) {
      throw new InvalidInput(`${place}: expected memory or hugepages-SIZE, got ${resource}`)
    }
    if (amount === 0) throw new InvalidInput(`${place}: expected some ${resource}, got 0`)
  }
  return amounts
}

export const formatReservedMemory = (
  reserved: ReadonlyMap<number, Readonly<Record<string, Bytes>>>,
): string => [...reserved].map(([node, amounts]) => `${node}:${formatAmounts(amounts)}`).join(';')

/** `memory=1Gi,hugepages-2Mi=64Mi`; `place` is where it was written. */
export function parseAmounts(text: string, place: string): Record<string, Bytes> {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [, resource, amount] = /^([^=]+)=([^=]+)$/.exec(pair) ?? []
    if (resource !== undefined && amount !== undefined) return [resource, amount]
    throw new InvalidInput(`${place}: expected such as memory=1Gi, got "${pair}"`)
  })
  const resources = pairs.map(([resource]) => resource)
  const twice = resources.find((resource, i) => resources.indexOf(resource) !== i)
  if (twice === undefined) return readAmounts(Object.fromEntries(pairs), place)
  throw new InvalidInput(`${place}: expected ${twice} once, got it twice`)
}

export const formatAmounts = (amounts: Readonly<Record<string, Bytes>>): string =>
  Object.entries(amounts)
    .map(([resource, amount]) => `${resource}=${formatBytes(amount)}`)
    .join(',')
