/**
 * Every call that the product makes of the Kubernetes API, and every rule of `pods/resize`, as cases
 * that run against any server. The expected texts are the real server's own (Kubernetes 1.36.3).
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'

import { pods } from '../../src/apis/pod.ts'
import { isReason, type Kube } from '../../src/ports/kube.ts'
import { allocationCases } from './allocation.ts'
import { boundCases } from './bounds.ts'
import type { Case, ContractServer } from './case.ts'
import { concurrencyCases } from './concurrency.ts'
import { crudCases } from './crud.ts'
import { definitionCases } from './definitions.ts'
import { differences } from './differences.ts'
import { discoveryCases } from './discovery.ts'
import { dryRunCases } from './dry-run.ts'
import { eventCases } from './events.ts'
import { garbageCases } from './garbage.ts'
import { kubectlApplyCases } from './kubectl-apply.ts'
import { kubectlPodCases } from './kubectl-pods.ts'
import { kubectlCases } from './kubectl.ts'
import { leaseCases } from './leases.ts'
import { listCases } from './lists.ts'
import { marketSettingsCases } from './market-settings.ts'
import { namespaceCases } from './namespaces.ts'
import { nodeMarketCases } from './node-market.ts'
import { nodeResourceTopologyCases } from './node-resource-topology.ts'
import { namespaces, newObject } from './objects.ts'
import { patchCases } from './patches.ts'
import { resizeAdmissionCases } from './resize-admission.ts'
import { resizeNodeCases } from './resize-node.ts'
import { resizeRefusalCases } from './resize-refusals.ts'
import { resizeRunningCases } from './resize-running.ts'
import { resizeShapeCases } from './resize-shape.ts'
import { resizeCases } from './resize.ts'
import { applyCases } from './server-side-apply.ts'
import { serviceCases } from './services.ts'
import { tableCases } from './tables.ts'
import { watchCases } from './watches.ts'

/** In the order of their start: what takes long comes first. */
const groups: Readonly<Record<string, readonly Case[]>> = {
  // First: the namespaces that other cases leave are deleted one by one.
  namespace: namespaceCases,
  garbage: garbageCases,
  'resize of a running pod': resizeRunningCases,
  kubectl: [...kubectlPodCases, ...kubectlCases],
  'kubectl apply': kubectlApplyCases,
  watch: watchCases,
  list: listCases,
  'resize admission': resizeAdmissionCases,
  'resize refusal': [...resizeRefusalCases, ...resizeShapeCases],
  resize: resizeCases,
  'resize on a full node': resizeNodeCases,
  crud: crudCases,
  concurrency: concurrencyCases,
  patch: patchCases,
  bounds: boundCases,
  apply: applyCases,
  'dry run': dryRunCases,
  PodAllocation: allocationCases,
  MarketSettings: marketSettingsCases,
  NodeMarket: nodeMarketCases,
  NodeResourceTopology: nodeResourceTopologyCases,
  table: tableCases,
  event: eventCases,
  service: serviceCases,
  definition: definitionCases,
  lease: leaseCases,
  discovery: discoveryCases,
}

/** Most of a case's time is spent waiting for the server. */
const sideBySide = 10
const timeout = 120_000

type Named = Case & { readonly title: string }

const allCases: readonly Named[] = Object.entries(groups).flatMap(([group, cases]) =>
  cases.map((one) => Object.assign({}, one, { title: `${group}: ${one.name}` })),
)

/** Registers a test a case. */
export function runContracts(server: ContractServer): void {
  const meant = new Set(
    differences.filter((one) => one.server === server.name).map((one) => one.case),
  )
  const cases = allCases.filter(
    ({ title, needs = [] }) => !meant.has(title) && needs.every((need) => server.can.has(need)),
  )
  let ran = 0
  const register = (one: Named) =>
    void test(one.title, { timeout }, async () => {
      await inNamespace(server, async (namespace) => {
        await one.run(server, { namespace })
      })
      ran += 1
    })

  void describe(`contracts on ${server.name}`, () => {
    void test('every name is used once, and every difference names a case', () => {
      const titles = allCases.map(({ title }) => title)
      assert.deepEqual(titles, [...new Set(titles)])
      assert.deepEqual(
        differences.map((one) => one.case).filter((one) => !titles.includes(one)),
        [],
      )
    })
    void describe('side by side', { concurrency: sideBySide }, () => {
      for (const one of cases) if (one.alone !== true) register(one)
    })
    void describe('one at a time', { concurrency: 1 }, () => {
      for (const one of cases) if (one.alone === true) register(one)
    })
    after(() => {
      const rest = allCases.length - cases.length
      const left = rest === 0 ? '' : `, ${rest} not meant for it`
      console.log(`  contracts on ${server.name}: ${ran} cases${left}`)
    })
  })
}

let count = 0

async function inNamespace(
  { kube }: ContractServer,
  run: (namespace: string) => Promise<void>,
): Promise<void> {
  count += 1
  const name = `contract-${process.pid}-${count}`
  await kube.create(namespaces, newObject({ metadata: { name } }))
  try {
    await run(name)
  } finally {
    await kube.remove(namespaces, { name })
    await removePods(kube, name)
  }
}

/** At once: a namespace takes its time, and others need the room on the node. */
async function removePods(kube: Kube, namespace: string): Promise<void> {
  const { items } = await kube.list(pods, { namespace })
  await Promise.all(
    items.map(async ({ metadata: { name = '' } }) =>
      kube.remove(pods, { namespace, name }, { gracePeriodSeconds: 0 }).catch((error: unknown) => {
        if (!isReason(error, 'NotFound')) throw error
      }),
    ),
  )
}
