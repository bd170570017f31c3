/** Markets such as a node (110 pods) or a large cluster would clear, the same ones in every run. */
import { countedNeed } from '../../src/core/market/bid.ts'
import { type Random, seededRandom } from '../../src/core/random.ts'
import { type Millicores, millicores } from '../../src/core/units.ts'
import type { CpuBid } from '../markets.ts'

export const weightKinds = ['random', 'equal'] as const
export type WeightKind = (typeof weightKinds)[number]
export type PodMarket = { readonly capacity: Millicores; readonly bids: readonly CpuBid[] }

const capacityRatio = 0.6 // of the needs that count

export function podMarkets(at: {
  readonly markets: number
  readonly pods: number
  readonly weights: WeightKind
}): PodMarket[] {
  const random = seededRandom(at.pods)
  return Array.from({ length: at.markets }, () => podMarket(random, at))
}

function podMarket(random: Random, at: { pods: number; weights: WeightKind }): PodMarket {
  const bids = podIds(random, at.pods).map((id): CpuBid => {
    const need = spread(random, 50, 4000)
    const floor = need * 0.2 * random()
    const ceiling = random() < 0.1 ? need * 0.7 : need * (1 + random())
    return {
      id,
      floor: millicores(Math.round(floor)),
      need: millicores(Math.round(need)),
      ceiling: millicores(Math.round(ceiling)),
      weight: at.weights === 'equal' ? 1 : spread(random, 0.1, 10),
    }
  })
  const needs = bids.reduce((sum, bid) => sum + countedNeed(bid), 0)
  return { capacity: millicores(Math.round(needs * capacityRatio)), bids }
}

/** Every order of magnitude equally likely. */
const spread = (random: Random, min: number, max: number): number => min * (max / min) ** random()

/** `shop/checkout-7d9f8c6b5d-x2k4q`, about ten pods a replica set, in no order. */
function podIds(random: Random, count: number): string[] {
  const sets = Array.from({ length: Math.ceil(count / 10) }, () => {
    const [space, app] = [pick(random, namespaces), pick(random, apps)]
    return `${space}/${app}-${letters(random, 10)}`
  })
  const ids = new Set<string>()
  while (ids.size < count) ids.add(`${pick(random, sets)}-${letters(random, 5)}`)
  // Through JSON, as from the API server: joined strings are slower until first read as a whole.
  return JSON.parse(JSON.stringify([...ids])) as string[]
}

const namespaces = ['default', 'shop', 'payments', 'kube-system', 'team-research', 'ml-training']
const apps = ['api', 'checkout', 'worker', 'cart-service', 'metrics-server', 'image-resizer', 'db']
const safeLetters = 'bcdfghjklmnpqrstvwxz2456789' // of Kubernetes: no vowels, nothing alike

const pick = (random: Random, from: readonly string[]): string =>
  from[Math.floor(random() * from.length)] ?? ''

const letters = (random: Random, length: number): string =>
  Array.from({ length }, () => safeLetters[Math.floor(random() * safeLetters.length)]).join('')
