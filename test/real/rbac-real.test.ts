/** What our service accounts may do and may not, asked of a real authorizer and real admission. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { events } from '../../src/apis/event.ts'
import { originalAnnotation, overrideAnnotation, systemNamespace } from '../../src/apis/names.ts'
import { nodeMarkets } from '../../src/apis/node-market.ts'
import { nodeResourceTopologies } from '../../src/apis/node-resource-topology.ts'
import { apiVersionOf, type KubeObject, type Resource } from '../../src/apis/object.ts'
import { isForeignNote } from '../../src/apis/original-note.ts'
import { podAllocations } from '../../src/apis/pod-allocation.ts'
import { pods } from '../../src/apis/pod.ts'
import { seePod } from '../../src/apps/controller/seen-pod.ts'
import { createPodWriter } from '../../src/apps/controller/write-pod.ts'
import { startMbcas } from '../background.ts'
import { each } from '../each.ts'
import { agentCalls, type Call, controllerCalls, lineOf } from '../process-calls.ts'
import { realCluster, skipUnless } from '../real.ts'
import { until } from '../until.ts'
import { type Accounts, isAllowed, openAccounts, refusalOf, rulesOf } from './accounts.ts'
import { describeExclusions } from './exclusions.ts'
import { idle, podOf } from './real-pods.ts'

/** What nobody of ours has any business with. */
const strange: readonly Call[] = [
  ...['get', 'list', 'watch'].map((verb) => ({ verb, group: '', resource: 'secrets' })),
  ...['get', 'create'].flatMap((verb) =>
    ['nodes/proxy', 'pods/exec'].map((resource) => ({ verb, group: '', resource })),
  ),
  ...['create', 'update', 'delete', 'deletecollection'].map((verb) => ({
    verb,
    group: '',
    resource: 'pods',
  })),
  ...['pods/eviction', 'pods/binding', 'serviceaccounts/token'].map((resource) => ({
    verb: 'create',
    group: '',
    resource,
  })),
  ...['nodes', 'nodes/status', 'pods/status', 'pods/ephemeralcontainers', 'namespaces'].map(
    (resource) => ({ verb: 'patch', group: '', resource }),
  ),
  { verb: 'get', group: '', resource: 'configmaps' },
  { verb: 'impersonate', group: '', resource: 'users' },
  { verb: 'patch', group: 'apps', resource: 'deployments' },
  { verb: 'escalate', group: 'rbac.authorization.k8s.io', resource: 'clusterroles' },
  {
    verb: 'delete',
    group: 'admissionregistration.k8s.io',
    resource: 'validatingadmissionpolicybindings',
  },
  { verb: 'deletecollection', group: 'allocation.mbcas.io', resource: 'podallocations' },
  { verb: 'update', group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system' },
]

/** `others`: what only the other one writes. */
const processes = [
  {
    who: 'agent',
    calls: agentCalls,
    others: controllerCalls.filter(({ verb }) => verb !== 'list' && verb !== 'watch'),
  },
  {
    who: 'controller',
    calls: controllerCalls,
    others: agentCalls.filter(({ verb }) => verb === 'create' || verb === 'patch'),
  },
] as const

const allocation = (
  nodeName: string | undefined,
  { name = 'web', override }: { readonly name?: string; readonly override?: string } = {},
) => ({
  apiVersion: 'allocation.mbcas.io/v1alpha1',
  kind: 'PodAllocation',
  metadata: {
    name,
    ...(override !== undefined && { annotations: { [overrideAnnotation]: override } }),
  },
  spec: { podName: name, ...(nodeName !== undefined && { nodeName }), desiredCPULimit: '300m' },
})

const policies = [
  'mbcas-agent',
  'mbcas-agent-events',
  'mbcas-bounds',
  'mbcas-controller',
  'mbcas-controller-allocations',
  'mbcas-controller-exclusions',
  'mbcas-no-override',
  'mbcas-original',
  'mbcas-override',
  'mbcas-status',
]

/** By its pod, as an agent writes it. */
const owned = (
  body: ReturnType<typeof allocation>,
  { uid = 'uid-of-pod', ...more }: { readonly uid?: string; readonly [key: string]: unknown } = {},
) => {
  const { name } = body.metadata
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }]
  const metadata = { ...body.metadata, ownerReferences, ...more }
  return { ...body, metadata, spec: { ...body.spec, podUID: uid } }
}

/** Nothing is kept of what is asked. */
const dryRun = true

void describe('service accounts on a real cluster', { skip: skipUnless(...realCluster) }, () => {
  let accounts: Accounts
  let nodeName: string

  async function assertRefused(asked: Promise<unknown>, ...words: RegExp[]): Promise<void> {
    const said = (await refusalOf(asked)) ?? 'allowed'
    for (const word of words) assert.match(said, word)
  }

  /** As an agent does it. */
  const publish = async (who: string, body: ReturnType<typeof allocation>) =>
    publishIn('default', who, owned(body))
  const publishIn = async (namespace: string, who: string, body: ReturnType<typeof allocation>) =>
    accounts
      .as(who)
      .patch(
        podAllocations,
        { namespace, name: body.metadata.name },
        { type: 'apply', body, fieldManager: 'mbcas-agent', force: true },
        { dryRun },
      )
  const tell = async (resource: Resource<KubeObject>, name: string, fields: object) => {
    const { kind } = resource
    const body = { apiVersion: apiVersionOf(resource), kind, metadata: { name }, ...fields }
    const patch = { type: 'apply', body, fieldManager: 'mbcas-agent', force: true } as const
    return accounts.as('agent').patch(resource, { name }, patch, { dryRun })
  }
  const tellMarket = async (name: string) => tell(nodeMarkets, name, { status: { resources: [] } })
  const tellTopology = async (name: string) =>
    tell(nodeResourceTopologies, name, { topologyPolicies: [], zones: [] })

  /** As the controller does it. */
  const changePod = async (body: object, subresource?: 'resize') =>
    accounts
      .as('controller')
      .patch(
        pods,
        { namespace: 'default', name: 'web', ...(subresource && { subresource }) },
        { type: 'strategic', body },
        { dryRun },
      )

  before(async () => {
    accounts = await openAccounts()
    const { cluster } = accounts
    nodeName = cluster.nodeName
    const pod = podOf({ name: 'web', work: idle, request: '100m', limit: '200m' })
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(pod))
    await cluster.kubectl(['wait', '--for=condition=Ready', 'pod', '--all', '--timeout=60s'])
    // A policy acts a moment after it is made.
    await until('the policies', async () => {
      const said = await Promise.all([
        refusalOf(publish('agent', allocation('elsewhere'))),
        refusalOf(changePod({ metadata: { labels: { app: 'web' } } })),
        refusalOf(publish('person', allocation(undefined, { override: 'yes' }))),
      ])
      return said.every((words) => words?.includes('ValidatingAdmissionPolicy'))
    })
  })

  after(async () => accounts.stop())

  for (const { who, calls, others } of processes) {
    const asked = [...strange, ...others].filter(
      (call) => !calls.map(lineOf).includes(lineOf(call)),
    )
    const linesThat = async (all: readonly Call[], allowed: boolean): Promise<string[]> => {
      const lines: string[] = []
      for (const call of all) {
        if ((await isAllowed(accounts.as(who), call)) === allowed) lines.push(lineOf(call))
      }
      return lines
    }

    void test(`the ${who} may make each of its calls, and no other`, async (t) => {
      assert.deepEqual(await linesThat(calls, false), [])
      assert.deepEqual(await linesThat(asked, true), [])
      t.diagnostic(`${who}: ${calls.length} calls allowed, ${asked.length} others refused`)
    })

    void test(`the ${who} has no rule for anything else`, async () => {
      const rules = await rulesOf(accounts.as(who), systemNamespace)
      const known = new Set(
        calls.map(({ verb, group, resource, name = '' }) =>
          lineOf({ verb, group, resource, name }),
        ),
      )
      // Every user may ask who it is and what it may do.
      const strangers = rules.filter(
        (line) => !known.has(line) && !/^create self\w+reviews\./.test(line),
      )
      assert.deepEqual(strangers, [])
    })
  }

  void describe('an agent', () => {
    void test('writes for the node that its token is bound to', async () => {
      await publish('agent', allocation(nodeName))
      await tellMarket(nodeName)
      await tellTopology(nodeName)
    })

    void test('and for no other', async () => {
      const words = /^403 .*bound to node node-0 and may not write for node elsewhere/
      await assertRefused(publish('agent', allocation('elsewhere')), words)
      await assertRefused(tellMarket('elsewhere'), words)
      await assertRefused(tellTopology('elsewhere'), words)
      await assertRefused(publish('agent', allocation(undefined)), /^403 .*what names no node/)
    })

    void test('and for pods that own what it writes, which goes with them', async () => {
      const body = allocation(nodeName)
      const { metadata } = owned(body)
      const [owner] = metadata.ownerReferences
      const words = /^403 .*a PodAllocation that its pod owns, and nobody else/
      for (const ownerReferences of [
        [],
        [{ ...owner, uid: 'other' }],
        [{ ...owner, name: 'other' }],
        [{ ...owner, kind: 'ConfigMap' }],
        [owner, { apiVersion: 'v1', kind: 'ConfigMap', name: 'lasting', uid: 'two' }],
      ])
        await assertRefused(publishIn('default', 'agent', owned(body, { ownerReferences })), words)
      await assertRefused(publishIn('default', 'agent', body), words)
    })

    void test('and nothing else than that', async () => {
      const words = /^403 .*may not write annotations or labels/
      for (const more of [{ annotations: { ballast: 'x' } }, { labels: { ballast: 'x' } }])
        await assertRefused(publishIn('default', 'agent', owned(allocation(nodeName), more)), words)
      for (const namespace of ['kube-system', 'kube-public', 'kube-node-lease', systemNamespace])
        await assertRefused(
          publishIn(namespace, 'agent', owned(allocation(nodeName))),
          new RegExp(`^403 .*namespace ${namespace} is excluded`),
        )
    })

    void test('also where a person wrote first, whose words stay', async () => {
      const theirs = allocation(nodeName, { name: 'first', override: 'false' })
      await accounts.kubectl(['apply', '-f', '-'], theirs)
      const { metadata } = await publish('agent', allocation(nodeName, { name: 'first' }))
      assert.equal(metadata.annotations?.[overrideAnnotation], 'false')
    })

    void test('forges no events', async () => {
      const about = { kind: 'Pod', namespace: 'default', name: 'web', apiVersion: 'v1' }
      const tellEvent = async (fields: object) => {
        const source = { component: 'mbcas-agent', host: nodeName }
        const event = { involvedObject: about, reason: 'CPUMisaligned', source, ...fields }
        const { as } = accounts
        return as('agent').create<KubeObject>(
          events,
          { metadata: { generateName: 'forged-', namespace: 'default' }, ...event },
          { dryRun },
        )
      }
      await tellEvent({})
      const elsewhere = { component: 'mbcas-agent', host: 'elsewhere' }
      await assertRefused(tellEvent({ source: elsewhere }), /^403 .*source\.host node-0/)
      const kubelet = { component: 'kubelet', host: nodeName }
      await assertRefused(tellEvent({ source: kubelet }), /^403 .*events of its own node alone/)
      await assertRefused(tellEvent({ reason: 'Killing' }), /^403 .*with the reasons that it knows/)
      const secret = { ...about, kind: 'Secret' }
      await assertRefused(
        tellEvent({ involvedObject: secret }),
        /^403 .*about pods and nodes alone/,
      )
    })

    void test('takes over nothing of another', async () => {
      const theirs = allocation('elsewhere', { name: 'theirs' })
      await accounts.kubectl(['apply', '-f', '-'], theirs)
      await assertRefused(publish('agent', theirs), /^403 .*may not write for node elsewhere/)
      const ours = allocation(nodeName, { name: 'theirs' })
      await assertRefused(publish('agent', ours), /^422 .*nodeName cannot change/)
    })

    void test('leaves to people what is theirs, and claims nothing for them', async () => {
      const name = 'mine'
      await accounts.kubectl(['apply', '-f', '-'], allocation(nodeName, { name, override: 'true' }))
      const words = /^403 .*a person owns this PodAllocation/
      await assertRefused(publish('agent', allocation(nodeName, { name })), words)
      await assertRefused(publish('agent', allocation(nodeName, { override: 'true' })), words)
    })

    void test('with a token of no node is told how to get one, and that one works', async () => {
      const token = ['create', 'token', 'mbcas-agent', '-n', systemNamespace]
      await accounts.add('unbound', await accounts.cluster.kubectl(token))
      const said = (await refusalOf(publish('unbound', allocation(nodeName)))) ?? ''
      const advice = /kubectl create token .* NODE$/.exec(said)?.[0]
      assert.ok(advice, said)
      const { code, stdout, stderr } = await accounts.sh(advice.replace('NODE', nodeName))
      assert.equal(code, 0, stderr)
      await accounts.add('advised', stdout)
      await publish('advised', allocation(nodeName))
    })
  })

  void describe('the controller', () => {
    const note = (value: string | null) => ({
      metadata: { annotations: { [originalAnnotation]: value } },
    })
    const main = (fields: object) => ({ spec: { containers: [{ name: 'main', ...fields }] } })
    const resources = { requests: { cpu: '150m' }, limits: { cpu: '300m' } }
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }

    void test('changes no pod of an excluded namespace', async () => {
      const name = 'system'
      const pod = podOf({ name, work: idle, request: '100m', limit: '200m' })
      const { kubectl, as } = accounts
      const made = await kubectl(['apply', '-n', 'kube-system', '-f', '-'], pod)
      assert.equal(made.code, 0, made.stderr)
      const place = { namespace: 'kube-system', name }
      const change = async (body: object, subresource?: 'resize') =>
        as('controller').patch(
          pods,
          { ...place, ...(subresource && { subresource }) },
          { type: 'strategic', body },
          { dryRun },
        )
      const words = /^403 .*namespace kube-system is excluded/
      await assertRefused(change(note('{}')), words)
      await assertRefused(change(main({ resources }), 'resize'), words)
      await kubectl(['delete', 'pod', '-n', 'kube-system', name, '--now', '--wait=false'])
    })

    void test('notes original values, and resizes', async () => {
      await changePod(note('{"main":{"request":"100m"}}'))
      await changePod(note(null))
      await changePod(main({ resources }), 'resize')
    })

    each(
      [
        {
          name: 'it sets no other annotation',
          body: { metadata: { annotations: { 'mbcas.io/managed': 'true' } } },
          words: /mbcas\.io\/original-cpu alone/,
        },
        {
          name: 'no label',
          body: { metadata: { labels: { app: 'web' } } },
          words: /may not change labels, finalizers or owners/,
        },
        {
          name: 'no finalizer',
          body: { metadata: { finalizers: ['mbcas.io/hold'] } },
          words: /may not change labels, finalizers or owners/,
        },
        {
          name: 'no owner',
          body: { metadata: { ownerReferences: [owner] } },
          words: /may not change labels, finalizers or owners/,
        },
        { name: 'no image', body: main({ image: 'evil' }), words: /through pods\/resize alone/ },
        {
          name: 'not even beside what it may',
          body: { ...note('{}'), ...main({ image: 'evil' }) },
          words: /through pods\/resize alone/,
        },
        {
          name: 'and it resizes no memory',
          body: main({ resources: { requests: { memory: '64Mi' } } }),
          subresource: 'resize' as const,
          words: /the CPU of containers alone/,
        },
      ],
      async ({ body, subresource, words }) =>
        assertRefused(changePod(body, subresource), /^403 .*'mbcas-controller'/, words),
    )

    void test('not even memory that a LimitRange gives with the resize', async () => {
      const { kubectl } = accounts
      await kubectl(['apply', '-f', '-'], {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'memory' },
        spec: { limits: [{ type: 'Container', default: { memory: '64Mi' } }] },
      })
      const resize = async () => refusalOf(changePod(main({ resources }), 'resize'))
      await until('the default', async () => (await resize()) !== undefined)
      assert.match((await resize()) ?? '', /the CPU of containers alone/)
      await kubectl(['delete', 'limitrange', 'memory'])
      await until('no default', async () => (await resize()) === undefined)
    })
  })

  void describe('a person', () => {
    const tryApply = async (object: object) =>
      accounts.kubectl(['apply', '--dry-run=server', '-f', '-'], object)

    void test('is told what an override may be', async () => {
      const { code, stderr } = await tryApply(allocation(undefined, { override: 'yes' }))
      assert.equal(code, 1)
      assert.match(stderr, /mbcas\.io\/override must be "true" .* or "false" .*, got "yes"/)
    })

    void test('is told of sums that would change nothing', async () => {
      const told = allocation(undefined, { name: 'told', override: 'true' })
      const containers = [{ name: 'main', desiredCPULimit: '300m' }]
      await accounts.kubectl(['apply', '-f', '-'], { ...told, spec: { ...told.spec, containers } })
      const patch = async (spec: object) =>
        accounts.kubectl(
          `patch pa told --dry-run=server --type=merge -p ${JSON.stringify({ spec })}`.split(' '),
        )
      const { code, stderr } = await patch({ desiredCPULimit: '500m' })
      assert.equal(code, 1)
      assert.match(stderr, /the sums alone change nothing; .* "containers": null/)
      const split = await patch({ desiredCPULimit: '500m', containers: null })
      assert.deepEqual([split.code, split.stderr], [0, ''])
    })

    void test('is warned of an allocation that will not last, and only then', async () => {
      const { code, stderr } = await tryApply(allocation(undefined))
      assert.equal(code, 0, stderr)
      assert.match(
        stderr,
        /^Warning: .*yours will not last; add the annotation mbcas\.io\/override/m,
      )
      for (const quiet of [
        await tryApply(allocation(undefined, { override: 'true' })),
        await accounts.kubectl(['annotate', 'pa', 'theirs', 'note=seen', '--dry-run=server']),
      ])
        assert.deepEqual([quiet.code, quiet.stderr], [0, ''])
    })
  })

  void describe('a tenant, even one who may change all of a namespace', () => {
    const tenant = ['--as', 'tenant', '--dry-run=server']
    const bind = (user: string, role: string) =>
      accounts.kubectl([
        'create',
        'clusterrolebinding',
        `${user}-${role}`,
        `--clusterrole=${role}`,
        `--user=${user}`,
      ])

    before(async () => {
      const rights = [
        [
          'create',
          'clusterrole',
          'namespace-owner',
          '--verb=get,patch,update,create',
          '--resource=namespaces',
        ],
        [
          'create',
          'clusterrole',
          'mbcas-admin',
          '--verb=update',
          '--resource=marketsettings.allocation.mbcas.io',
        ],
      ]
      for (const right of rights) await accounts.kubectl(right)
      for (const user of ['tenant', 'boss']) {
        for (const role of ['admin', 'namespace-owner']) await bind(user, role)
      }
      await bind('boss', 'mbcas-admin')
    })

    each(
      [
        { name: 'sets no share factor', key: 'share-factor', value: '100' },
        { name: 'no larger multiplier', key: 'max-priority-multiplier', value: '10' },
        { name: 'no higher floor', key: 'max-min-cpu', value: '64' },
        { name: 'no stricter target', key: 'min-target-latency-ms', value: '1' },
        { name: 'nor coalitions', key: 'coalitions', value: 'true' },
      ],
      async ({ key, value }) => {
        const words = ['annotate', 'namespace', 'default', `mbcas.io/${key}=${value}`]
        const { code, stderr } = await accounts.kubectl([...words, ...tenant])
        assert.notEqual(code, 0)
        assert.match(stderr, new RegExp(`only an administrator of MBCAS may .*mbcas.io/${key}`))
        const boss = await accounts.kubectl([...words, '--as', 'boss', '--dry-run=server'])
        assert.equal(boss.code, 0, boss.stderr)
      },
    )

    void test('makes no namespace with them, and may say all else', async () => {
      const namespace = (annotations: object) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'mine', annotations },
      })
      const make = async (annotations: object) =>
        accounts.kubectl(['create', ...tenant, '-f', '-'], namespace(annotations))
      const refused = await make({ 'mbcas.io/share-factor': '2' })
      assert.match(refused.stderr, /only an administrator of MBCAS/)
      const made = await make({ 'mbcas.io/mode': 'recommend', 'mbcas.io/priority-multiplier': '2' })
      assert.equal(made.code, 0, made.stderr)
    })

    void test('forges no original values on a pod that runs', async () => {
      const note = [`${originalAnnotation}={"main":{"request":"3","limit":"100"}}`]
      const annotate = async (...more: string[]) =>
        accounts.kubectl(['annotate', 'pod', 'web', '--overwrite', ...note, ...tenant, ...more])
      for (const more of [[], ['--field-manager', 'mbcas-controller']]) {
        const { code, stderr } = await annotate(...more)
        assert.notEqual(code, 0)
        assert.match(stderr, /mbcas\.io\/original-cpu is the controller's/)
      }
    })

    void test('nor on its PodAllocation, be it that it may write its status', async () => {
      const { kubectl, sh } = accounts
      const right = ['clusterrole', 'status-writer', '--verb=get,patch']
      const resources = '--resource=podallocations.allocation.mbcas.io/status'
      await kubectl(['create', ...right, resources])
      await bind('tenant', 'status-writer')
      await kubectl(['apply', '-f', '-'], allocation(nodeName, { name: 'kept' }))
      const forge = async (user: string) =>
        sh(
          `kubectl patch pa kept --subresource=status --type=merge --as ${user} --dry-run=server \\
             -p '{"status":{"originalCPULimit":"100"}}'`,
        )
      await bind('boss', 'status-writer')
      const { code, stderr } = await forge('tenant')
      assert.notEqual(code, 0)
      assert.match(stderr, /the status of a PodAllocation is the controller's/)
      assert.equal((await forge('boss')).code, 0)
    })

    void test('nor brings any with a new one, under whatever name', async () => {
      const pod = podOf({ name: 'forged', work: idle, request: '100m', limit: '200m' })
      const annotations = { ...pod.metadata.annotations, [originalAnnotation]: '{}' }
      const forged = { ...pod, metadata: { ...pod.metadata, annotations } }
      for (const more of [[], ['--field-manager', 'mbcas-controller']]) {
        const made = await accounts.kubectl(['create', ...tenant, '-f', '-', ...more], forged)
        assert.match(made.stderr, /may not come with mbcas\.io\/original-cpu.*the template/s)
      }
      const target = { apiVersion: 'v1', kind: 'Node', name: nodeName }
      const metadata = { name: 'web', annotations: { [originalAnnotation]: '{}' } }
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target }
      const bound = await accounts.kubectl(['create', '--dry-run=server', '-f', '-'], binding)
      assert.match(bound.stderr, /may not come with mbcas\.io\/original-cpu/)
    })

    void test('nor has one counted that was there before the policy', async () => {
      const name = 'older'
      const pod = podOf({ name, work: idle, request: '100m', limit: '200m' })
      const { kubectl, as } = accounts
      await kubectl(['apply', '-f', '-'], pod)
      const text = '{"main":{"request":"3"}}'
      // An administrator may, so that a foreign note stands there as from before.
      const noted = await kubectl(['annotate', 'pod', name, `${originalAnnotation}=${text}`])
      assert.equal(noted.code, 0, noted.stderr)
      const only = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', annotations: { [originalAnnotation]: text } },
      }
      const words = /metadata\.managedFields says whether mbcas-controller wrote/
      const ours = ['apply', '--server-side', '--field-manager', 'mbcas-controller', '-f', '-']
      assert.match((await kubectl([...ours, ...tenant], only)).stderr, words)
      const { metadata } = await as('person').get(pods, { namespace: 'default', name })
      assert.ok(isForeignNote(metadata))
      await clearRecord(name)
      const unknown = await as('person').get(pods, { namespace: 'default', name })
      assert.ok(isForeignNote(unknown.metadata))
      await kubectl(['delete', 'pod', name, '--now', '--wait=false'])
    })

    const cleared = '{"metadata":{"managedFields":[{}]}}'
    const clearRecord = async (name: string, ...more: string[]) =>
      accounts.kubectl(['patch', 'pod', name, '--type=merge', '-p', cleared, ...more])
    void test("nor keeps the controller's from being its own, with no record of writers", async () => {
      const name = 'cleared'
      const { kubectl, as } = accounts
      const place = { namespace: 'default', name }
      await kubectl(
        ['apply', '-f', '-'],
        podOf({ name, work: idle, request: '100m', limit: '200m' }),
      )
      await kubectl(['wait', '--for=condition=Ready', 'pod', name, '--timeout=60s'])
      const { code, stderr } = await clearRecord(name, '--as', 'tenant')
      assert.equal(code, 0, stderr)
      const writer = createPodWriter(as('controller'))
      const { signal } = new AbortController()
      const find = async () => as('person').get(pods, place)
      const { metadata: before, ...rest } = await find()
      const stale = seePod({ metadata: { ...before, resourceVersion: '1' }, ...rest })
      assert.match((await refusalOf(writer.recordOriginal(stale, signal))) ?? '', /^409/)
      await until('a note', async () => {
        const said = await refusalOf(writer.recordOriginal(seePod(await find()), signal))
        return said === undefined
      })
      const noted = seePod(await find())
      assert.deepEqual([noted.isNoted, noted.original], [true, noted.cpu.spec])
      const again = await clearRecord(name, ...tenant)
      assert.match(again.stderr, /metadata\.managedFields says whether mbcas-controller wrote/)
      const label = await kubectl(['label', 'pod', name, 'app=any', ...tenant])
      assert.equal(label.code, 0, label.stderr)
      await until('no note', async () => {
        const said = await refusalOf(writer.dropOriginal(seePod(await find()), signal))
        return said === undefined
      })
      assert.equal((await find()).metadata.annotations?.[originalAnnotation], undefined)
      const gone = { ...noted, metadata: { ...noted.metadata, name: 'gone' } }
      assert.match((await refusalOf(writer.recordOriginal(gone, signal))) ?? '', /^4(03|09|22)/)
      await kubectl(['delete', 'pod', name, '--now', '--wait=false'])
    })
  })

  void test('the server finds nothing to warn of in the types of the policies', async () => {
    const names = policies
    const get = ['get', 'validatingadmissionpolicy', ...names, '-o', 'json']
    type Policies = { items: { status?: { typeChecking?: { expressionWarnings?: object[] } } }[] }
    const checks = async () => {
      const { items } = JSON.parse(await accounts.cluster.kubectl(get)) as Policies
      return items.map(({ status }) => status?.typeChecking)
    }
    await until('the type checks', async () => !(await checks()).includes(undefined))
    assert.deepEqual(
      await checks(),
      policies.map(() => ({})),
    )
  })

  void test('both processes run with no more than that', async () => {
    const { cluster, as, kubeconfigOf } = accounts
    const start = (name: string, ...args: string[]) =>
      startMbcas(name, '--kubeconfig', kubeconfigOf(name), '--listen', '127.0.0.1:0', ...args)
    const place = ['--node', nodeName, '--cgroup-root', cluster.cgroupRoot, '--interval', '1s']
    // An agent of another node was first to write for a pod of this one.
    await accounts.kubectl(['apply', '-f', '-'], {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'elsewhere' },
    })
    const bound = ['--bound-object-kind', 'Node', '--bound-object-name', 'elsewhere']
    const token = ['create', 'token', 'mbcas-agent', '-n', systemNamespace, ...bound]
    await accounts.add('attacker', await cluster.kubectl(token))
    const web = await as('person').get(pods, { namespace: 'default', name: 'web' })
    const uid = web.metadata.uid ?? ''
    const forged = owned(allocation('elsewhere'), { uid, namespace: 'default' })
    const spec = { ...forged.spec, urgency: 'guardrail' as const }
    await as('attacker').create(podAllocations, { ...forged, spec })
    const running = [start('controller'), start('agent', ...place)]
    try {
      await until('an allocation by the agent of its node that was looked at', async () => {
        const { items } = await as('person').list(podAllocations, { namespace: 'default' })
        return items.some(({ metadata, spec, status }) => {
          const isOurs = spec.nodeName === nodeName && spec.decision !== undefined
          return metadata.name === 'web' && isOurs && status?.phase !== undefined
        })
      })
    } finally {
      for (const process of running) await process.stop()
    }
    const refused = running
      .flatMap(({ lines }) => lines)
      .filter((line) => /forbidden/i.test(JSON.stringify(line)))
    assert.deepEqual(refused, [])
  })

  describeExclusions(() => accounts)
})
