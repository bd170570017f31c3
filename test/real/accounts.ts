/** Our service accounts on a real cluster, made by the commands of the guide, with real tokens. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createKube, type KubeClient } from '../../src/adapters/kube/client.ts'
import { loadConfig } from '../../src/adapters/kube/load-config.ts'
import type { KubeObject, Resource } from '../../src/apis/object.ts'
import { ApiError } from '../../src/ports/kube.ts'
import { type Cluster, type ClusterOptions, startCluster } from '../kubernetes/cluster.ts'
import { type Call, lineOf } from '../process-calls.ts'
import { pathOf, real } from '../real.ts'
import { type Ran, root, run, withPath } from '../run.ts'

export type Accounts = {
  readonly cluster: Cluster
  /** `agent`, `controller`, `person` who may everything, and whoever was added. */
  readonly as: (name: string) => KubeClient
  /** One that differs from the agent by its token. */
  readonly add: (name: string, token: string) => Promise<void>
  readonly kubeconfigOf: (name: string) => string
  /** A person's shell. */
  readonly sh: (script: string) => Promise<Ran>
  /** A person's kubectl, with an object for its standard input. */
  readonly kubectl: (args: readonly string[], object?: object) => Promise<Ran>
  readonly stop: () => Promise<void>
}

export async function openAccounts(options: ClusterOptions = {}): Promise<Accounts> {
  const cluster = await startCluster(options)
  const folder = mkdtempSync(join(tmpdir(), 'mbcas-accounts-'))
  const clients = new Map<string, KubeClient>()
  const env = {
    ...withPath(pathOf(real.kubernetes)),
    KUBECONFIG: cluster.kubeconfig,
    NODE: cluster.nodeName,
  }
  const kubeconfigOf = (name: string) => join(folder, `${name}.kubeconfig`)
  const sh: Accounts['sh'] = async (script) => run('sh', ['-euc', script], { cwd: folder, env })

  async function succeed(script: string): Promise<void> {
    const { code, stderr } = await sh(script)
    assert.equal(code, 0, `${script}\n${stderr}`)
  }

  async function open(name: string, kubeconfig = kubeconfigOf(name)): Promise<void> {
    clients.set(name, createKube(await loadConfig({ kubeconfig, env: {} })))
  }

  await succeed(`cd ${root}\n${guideBlock('kubectl apply -f deploy/crds')}`)
  await succeed(guideBlock('kubectl create token'))
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all'])
  await open('agent')
  await open('controller')
  await open('person', cluster.kubeconfig)
  return {
    cluster,
    kubeconfigOf,
    sh,
    as: (name) => {
      const kube = clients.get(name)
      assert.ok(kube, `${name} has an account`)
      return kube
    },
    add: async (name, token) => {
      const config = `kubectl --kubeconfig ${name}.kubeconfig config`
      await succeed(
        `cp agent.kubeconfig ${name}.kubeconfig
         ${config} unset users.mbcas.tokenFile
         ${config} set-credentials mbcas --token=${token.trim()}`,
      )
      await open(name)
    },
    kubectl: async (args, object) =>
      run('kubectl', args, { env, input: object === undefined ? '' : JSON.stringify(object) }),
    stop: async () => {
      for (const kube of clients.values()) kube.close()
      rmSync(folder, { recursive: true })
      await cluster.stop()
    },
  }
}

/** The shell block of the guide that has these words. */
function guideBlock(words: string): string {
  const guide = readFileSync(join(root, 'docs', 'guide', 'cluster.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const [found, ...others] = blocks.filter((block) => block.includes(words))
  assert.ok(found !== undefined && others.length === 0, `one block of the guide has ${words}`)
  return found
}

/** Code and words of the server where it refuses; undefined where it does not. */
export async function refusalOf(asked: Promise<unknown>): Promise<string | undefined> {
  try {
    await asked
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `${error.code} ${error.said}`
  }
}

type Rule = {
  readonly [field in 'apiGroups' | 'resources' | 'verbs' | 'resourceNames']?: readonly string[]
}
type Review = KubeObject & {
  readonly spec: object
  readonly status?: { readonly allowed?: boolean; readonly resourceRules?: readonly Rule[] }
}
const reviews = (kind: string): Resource<Review> => ({
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  kind,
  namespaced: false,
})
const accessReviews = reviews('SelfSubjectAccessReview')
const rulesReviews = reviews('SelfSubjectRulesReview')

/** As the authorizer says. */
export async function isAllowed(kube: KubeClient, { resource, ...call }: Call): Promise<boolean> {
  const [plural = '', subresource] = resource.split('/')
  const { status } = await kube.create(accessReviews, {
    metadata: {},
    spec: { resourceAttributes: { ...call, resource: plural, subresource } },
  })
  return status?.allowed === true
}

/** Everything that it may do in a namespace, as lines. */
export async function rulesOf(kube: KubeClient, namespace: string): Promise<string[]> {
  const { status } = await kube.create(rulesReviews, { metadata: {}, spec: { namespace } })
  return (status?.resourceRules ?? []).flatMap(
    ({ apiGroups = [], resources = [], verbs = [], resourceNames = [''] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.flatMap((verb) =>
            resourceNames.map((name) => lineOf({ verb, group, resource, name })),
          ),
        ),
      ),
  )
}
