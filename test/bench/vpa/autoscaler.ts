/** The Vertical Pod Autoscaler itself: recommender, updater and admission webhook, on days of history. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { cpuIn } from '../../../src/apis/pod.ts'
import { parseMillicores } from '../../../src/core/quantity.ts'
import { makeCertificate } from '../../../src/sim/certificate.ts'
import { pathOf, real } from '../../real.ts'
import type { Arm, ArmNode, Running } from './arm.ts'
import { checkpointOf, historyOf } from './checkpoint.ts'
import { freePort } from './free-port.ts'
import { autoscalerFlags } from './frozen.ts'
import { listPods, workloadOf } from './pods.ts'
import { type Program, startProgram } from './program.ts'

const apiVersion = 'autoscaling.k8s.io/v1'
const kind = 'VerticalPodAutoscaler'
const objects = ['verticalpodautoscalers', 'verticalpodautoscalercheckpoints']
const webhook = ['mutatingwebhookconfiguration', 'vpa-webhook-config']
const anyPort = { address: '127.0.0.1:0' }

/** Once for a cluster. */
export const installAutoscaler = async ({ kubectl }: Pick<ArmNode, 'kubectl'>): Promise<void> => {
  await kubectl('apply', '-f', join(pathOf(real.vpa), 'vpa-v1-crd-gen.yaml'))
  const names = objects.map((plural) => `crd/${plural}.autoscaling.k8s.io`)
  await kubectl('wait', '--for=condition=Established', ...names)
}

/** RequestsOnly leaves limits as they were written; by default they keep their ratio to requests. */
export const autoscaler = (
  name: string,
  controlledValues: 'RequestsAndLimits' | 'RequestsOnly' = 'RequestsAndLimits',
): Arm => ({
  name,
  hasLimits: true,
  async start(node): Promise<Running> {
    const { kubeconfig, group, kubectl, apply, histories } = node
    const flags = autoscalerFlags(node.loopSeconds)
    const binaries = pathOf(real.vpa)
    const programs: Program[] = []
    const run = (program: string, own: Readonly<Record<string, string>>): void => {
      const all = { kubeconfig, ...anyPort, ...own }
      programs.push(startProgram(group, join(binaries, program), all))
    }
    run('admission-controller', await webhookFlags(node.folder))
    return {
      /** Pods start as in every arm: it finds them as they were written, and days of history. */
      async attach() {
        const nowMillis = Date.now()
        const items = [...histories].flatMap(([workload, windows]) => [
          autoscalerOf(workload, controlledValues),
          checkpointOf(historyOf(windows, nowMillis), {
            namespace: 'default',
            workload,
            nowMillis,
          }),
        ])
        await apply({ apiVersion: 'v1', kind: 'List', items })
        run('recommender', flags.recommender)
        run('updater', flags.updater)
      },
      async check() {
        for (const program of programs) program.check()
        return untilApplied(node)
      },
      async stop() {
        await Promise.all(programs.map(async ({ stop }) => stop()))
        await kubectl('delete', '--ignore-not-found', ...webhook)
        await kubectl('delete', objects.join(','), '--all')
        await kubectl('delete', '--ignore-not-found', '-n', 'kube-system', ...lease)
      },
    }
  },
})

/** Of a webhook that ran before, which the updater would trust for a minute. */
const lease = ['lease', 'vpa-admission-controller']

const autoscalerOf = (workload: string, controlledValues: string): object => ({
  apiVersion,
  kind,
  metadata: { name: workload, namespace: 'default' },
  spec: {
    targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: workload },
    updatePolicy: { updateMode: 'InPlaceOrRecreate' },
    resourcePolicy: {
      containerPolicies: [{ containerName: '*', controlledResources: ['cpu'], controlledValues }],
    },
  },
})

async function webhookFlags(folder: string): Promise<Record<string, string>> {
  const { cert, key } = makeCertificate({ name: 'vpa-webhook', days: 2 })
  const files = { cert: join(folder, 'vpa-webhook.crt'), key: join(folder, 'vpa-webhook.key') }
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key, { mode: 0o600 })
  const port = String(await freePort())
  return {
    port,
    'client-ca-file': files.cert,
    'tls-cert-file': files.cert,
    'tls-private-key': files.key,
    'register-by-url': 'true',
    'webhook-address': 'https://127.0.0.1',
    'webhook-port': port,
  }
}

/** It may ask for more than the node has, and then it never gets there. */
const patienceSeconds = 20

/** Waits until the pods request what is recommended, so that VPA is judged by that and not by its start. */
async function untilApplied(node: ArmNode): Promise<ReadonlyMap<string, string>> {
  for (let second = 0; ; second += 1) {
    const targets = await recommended(node)
    const missing = [...node.histories.keys()].filter((workload) => !targets.has(workload))
    const isApplied = (await listPods(node)).every((pod) => {
      const target = parseMillicores(targets.get(workloadOf(pod)) ?? '0')
      const request = cpuIn(pod.spec.containers[0]?.resources?.requests) ?? 0
      return Math.abs(target - request) < smallDifference * request
    })
    if (missing.length === 0 && (isApplied || second >= patienceSeconds)) return targets
    if (second >= patienceSeconds) throw new Error(`no recommendation for ${missing.join(', ')}`)
    await sleep(1000)
  }
}

/** Of a request: the updater leaves smaller ones (`--pod-update-threshold`). */
const smallDifference = 0.1

type Recommending = {
  readonly metadata: { readonly name: string }
  readonly status?: {
    readonly recommendation?: {
      readonly containerRecommendations?: readonly [{ readonly target: { readonly cpu: string } }]
    }
  }
}

/** By workload. */
async function recommended({ kubectl }: ArmNode): Promise<Map<string, string>> {
  const text = await kubectl('get', 'verticalpodautoscalers', '-o', 'json')
  const { items } = JSON.parse(text) as { readonly items: readonly Recommending[] }
  return new Map(
    items.flatMap(({ metadata, status }): [string, string][] => {
      const [first] = status?.recommendation?.containerRecommendations ?? []
      return first === undefined ? [] : [[metadata.name, first.target.cpu]]
    }),
  )
}
