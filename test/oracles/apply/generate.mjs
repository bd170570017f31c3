/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return, oxc/no-map-spread */
/**
 * Asks a real API server what random writes by three managers make of objects and their managedFields.
 * Usage: node generate.mjs KUBECONFIG NAMESPACE SEED SEQUENCES > sequences.jsonl
 * The namespace and the CRD in deploy/crds must be there. The configMaps, podAllocations and deployments
 * it makes are deleted again.
 */
import { createWriteStream, readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'

const [kubeconfig, namespace, seedText = '1', countText = '100'] = process.argv.slice(2)
const config = readFileSync(kubeconfig, 'utf8')
const setting = (name) => new RegExp(`${name}: (\\S+)`).exec(config)[1]
const agent = new Agent({
  keepAlive: true,
  ca: readFileSync(setting('certificate-authority')),
  servername: setting('tls-server-name'),
})

const ask = async (method, path, body, type = 'application/json') =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${setting('token')}`, 'content-type': type }
    const asked = request(setting('server') + path, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve({ code: response.statusCode, body: JSON.parse(text) }))
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })

let state = Number(seedText)
const random = () => {
  state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return state / 4_294_967_296
}
const chance = (ratio) => random() < ratio
const pick = (items) => items[Math.floor(random() * items.length)]
const some = (items, ratio = 0.5) => items.filter(() => chance(ratio))
const shuffled = (items) =>
  items
    .map((item) => [random(), item])
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)
const values = ['1', '2']
const mapOf = (keys, from = values) =>
  Object.fromEntries(some(keys).map((key) => [key, pick(from)]))
const maybe = (object) =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && chance(0.6)),
  )

const meta = () =>
  maybe({
    labels: mapOf(['app', 'tier']),
    annotations: mapOf(['note', 'x.io/why']),
    finalizers: shuffled(some(['x.io/a', 'x.io/b', 'x.io/c'])),
  })
const cpu = () => pick(['100m', '200m'])
const allocated = (name) => ({
  name,
  desiredCPURequest: cpu(),
  ...maybe({ desiredCPULimit: '300m' }),
})
const container = (name) => ({
  name,
  image: pick(['i:1', 'i:2']),
  ...maybe({
    env: shuffled(some(['A', 'B'])).map((env) => ({ name: env, value: pick(values) })),
    ports: some([80, 443]).map((port) => ({
      containerPort: port,
      ...maybe({ protocol: pick(['TCP', 'UDP']), name: `p${port}` }),
    })),
    command: some(['run', 'fast']),
    resources: { requests: { cpu: cpu() } },
  }),
})
const podSpec = (full) => ({
  ...(full && { containers: [container('a')] }),
  ...maybe({
    containers: shuffled(some(['a', 'b'], 0.7)).map(container),
    volumes: some(['v', 'w']).map((name) => ({ name, emptyDir: maybe({ medium: 'Memory' }) })),
    tolerations: some(['t', 'u']).map((key) => ({ key, operator: 'Exists' })),
    nodeSelector: mapOf(['zone', 'disk']),
  }),
})

const kinds = {
  ConfigMap: {
    apiVersion: 'v1',
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    content: () => maybe({ data: mapOf(['a', 'b', 'c']), binaryData: mapOf(['d'], ['AA==']) }),
    strategic: () => ({
      ...maybe({ data: { ...mapOf(['a', 'b'], ['1', null]), ...maybe({ $patch: 'replace' }) } }),
      metadata: maybe({
        finalizers: shuffled(some(['x.io/a', 'x.io/d'])),
        '$deleteFromPrimitiveList/finalizers': ['x.io/b'],
        labels: maybe({ $patch: 'delete', app: null, tier: '3' }),
      }),
    }),
  },
  PodAllocation: {
    apiVersion: 'allocation.mbcas.io/v1alpha1',
    path: `/apis/allocation.mbcas.io/v1alpha1/namespaces/${namespace}/podallocations`,
    content: (name) => ({
      ...(chance(0.2) && { status: { phase: 'Pending' } }),
      spec: {
        podName: name,
        desiredCPURequest: cpu(),
        ...maybe({
          desiredCPULimit: '300m',
          urgency: pick(['normal', 'guardrail']),
          containers: shuffled(some(['x', 'y', 'z'])).map(allocated),
          decision: maybe({ mode: 'congested', price: pick([1, 2.5]), reason: 'r' }),
        }),
      },
    }),
    status: () => ({
      ...(chance(0.2) && { metadata: { labels: { by: 'status' } } }),
      status: maybe({
        phase: pick(['Applied', 'Failed']),
        attempts: pick([1, 2]),
        containers: some(['x', 'y']).map((name) => ({ name, appliedCPURequest: cpu() })),
      }),
    }),
  },
  Deployment: {
    apiVersion: 'apps/v1',
    path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
    content: (name, full) => ({
      spec: {
        ...(full && { paused: true, replicas: 0, selector: { matchLabels: { of: name } } }),
        ...maybe({
          minReadySeconds: pick([1, 2]),
          strategy: { type: 'RollingUpdate', rollingUpdate: maybe({ maxSurge: pick([1, '10%']) }) },
        }),
        template: {
          ...(full
            ? { metadata: { labels: { of: name } } }
            : maybe({ metadata: { labels: mapOf(['x', 'y']) } })),
          spec: podSpec(full),
        },
      },
    }),
    strategic: () => ({
      spec: {
        ...maybe({
          strategy: pick([
            { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null },
            {
              $retainKeys: ['type', 'rollingUpdate'],
              type: 'RollingUpdate',
              rollingUpdate: { maxSurge: 2 },
            },
          ]),
        }),
        template: {
          spec: maybe({
            containers: pick([
              [{ name: 'b', $patch: 'delete' }],
              [
                {
                  name: 'a',
                  env: [
                    { name: 'A', $patch: 'delete' },
                    { name: 'C', value: '3' },
                  ],
                },
              ],
              [container('c'), { name: 'a', image: 'i:3' }],
              [{ name: 'a', ports: [{ containerPort: 80, name: 'web' }, { $patch: 'replace' }] }],
            ]),
            '$setElementOrder/containers': pick([
              [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
              [{ name: 'b' }, { name: 'c' }, { name: 'a' }],
            ]),
            tolerations: [{ key: 's', operator: 'Exists' }],
            nodeSelector: { zone: null, disk: '5' },
          }),
        },
      },
    }),
  },
}

const pointer = (steps) =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
const leaves = (value, at = []) =>
  typeof value === 'object'
    ? Object.entries(value).flatMap(([key, below]) => leaves(below, [...at, key]))
    : [[at, value]]
const operation = (live) => {
  const { metadata, apiVersion: _, kind: __, status: ___, ...rest } = live
  const { labels = {} } = metadata
  const [at, value] = pick(leaves({ ...rest, metadata: { labels: { ...labels, app: '1' } } }))
  return pick([
    [{ op: 'add', path: '/metadata/labels', value: { app: pick(values) } }],
    [
      { op: 'test', path: pointer(at), value: chance(0.8) ? value : 'other' },
      { op: 'remove', path: pointer(at) },
    ],
    [
      {
        op: 'replace',
        path: pointer(at),
        value: typeof value === 'string' && value.length < 3 ? pick(values) : value,
      },
    ],
    [{ op: 'copy', from: pointer(at), path: '/metadata/labels/app' }],
    [{ op: 'move', from: '/metadata/labels/app', path: '/metadata/labels/moved' }],
  ])
}

/** `{ 'f:a': {} }` as `{ a: 0 }`. */
const brief = (set) =>
  Object.keys(set).length === 0
    ? 0
    : Object.fromEntries(
        Object.entries(set).map(([element, below]) => [element.replace(/^f:/, ''), brief(below)]),
      )

/** Without what differs from run to run; times are seconds since the one before the object was made. */
const normal = (object, born) => {
  const { apiVersion: _, kind: __, metadata, ...content } = object
  const { labels, annotations, finalizers, managedFields } = metadata
  const entries = managedFields?.map(
    ({ manager = '', operation = '', subresource = '', time, fieldsV1 = {} }) => [
      `${manager} ${operation} ${subresource}`,
      { ...(time && { t: (Date.parse(time) - born) / 1000 }), f: brief(fieldsV1) },
    ],
  )
  const whole = {
    ...content,
    metadata: { labels, annotations, finalizers },
    ...(entries && {
      managed: Object.fromEntries(entries),
      order: entries.map(([writer]) => writer),
    }),
  }
  return JSON.parse(JSON.stringify(whole))
}

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** What a merge patch would say to get from one to the other; lists are given whole. */
const delta = (from, to) => {
  const changed = {}
  for (const key of Object.keys(from)) if (to[key] === undefined) changed[key] = null
  for (const [key, value] of Object.entries(to)) {
    if (JSON.stringify(from[key]) === JSON.stringify(value)) continue
    changed[key] = isMap(from[key]) && isMap(value) ? delta(from[key], value) : value
  }
  return changed
}

/** The real server lists the managers in any order. */
const sortCauses = (causes) =>
  causes
    .map((cause) => JSON.stringify(cause))
    .toSorted()
    .map((text) => JSON.parse(text))

const types = {
  json: 'json-patch+json',
  merge: 'merge-patch+json',
  strategic: 'strategic-merge-patch+json',
  apply: 'apply-patch+yaml',
}

async function settled(path, kind) {
  for (;;) {
    const { body } = await ask('GET', path)
    if (kind !== 'Deployment' || body.status?.observedGeneration === body.metadata.generation)
      return body
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

async function record(kind, name) {
  const { apiVersion, path, content, strategic, status } = kinds[kind]
  const at = `${path}/${name}`
  const whole = (full) => ({
    apiVersion,
    kind,
    metadata: { name, namespace, ...meta() },
    ...content(name, full),
  })
  const steps = []
  let [live, before, born] = [undefined, {}, 0]
  for (let step = 0; step < 5; step += 1) {
    if (live) {
      live = await settled(at, kind)
      const now = normal(live, born)
      if (JSON.stringify(now) !== JSON.stringify(before))
        steps.push({ how: 'others', object: delta(before, now) })
      before = now
    }
    const how = live
      ? pick([
          'apply',
          'apply',
          'apply',
          'put',
          'merge',
          'json',
          ...(strategic ? ['strategic', 'strategic'] : ['apply']),
        ])
      : pick(['apply', 'post'])
    const by = pick(kind === 'Deployment' ? ['m1', 'm2'] : ['m1', 'm2', 'm3'])
    const force = how === 'apply' && chance(0.5)
    const sub =
      status && live && how !== 'put' && how !== 'json' && chance(0.3) ? 'status' : undefined
    const plain = whole(!live || how === 'put')
    let body = sub ? { apiVersion, kind, ...status() } : plain
    if (how === 'put') {
      const managedFields = pick([
        undefined,
        live.metadata.managedFields,
        live.metadata.managedFields,
        ...(chance(0.2) ? [[], [{}]] : []),
      ])
      body = { ...live, ...plain, metadata: { ...live.metadata, ...plain.metadata, managedFields } }
    } else if (how === 'merge' && !sub) body = { ...content(name, false), metadata: meta() }
    else if (how === 'json') body = operation(live)
    else if (how === 'strategic') body = strategic()
    const query = `?fieldManager=${by}${how === 'apply' ? `&force=${force}` : ''}`
    const answer =
      how === 'post'
        ? await ask('POST', path + query, body)
        : how === 'put'
          ? await ask('PUT', at + query, body)
          : await ask(
              'PATCH',
              at + (sub ? `/${sub}` : '') + query,
              body,
              `application/${types[how]}`,
            )
    const sentBody = () => {
      if (how === 'put') return delta(before, normal(body, born))
      if (how !== 'post' && how !== 'apply') return body
      const { apiVersion: _, kind: __, metadata, ...rest } = body
      const { name: ___, namespace: ____, ...left } = metadata ?? {}
      return { ...rest, ...(Object.keys(left).length > 0 && { metadata: left }) }
    }
    const said = { how, by, ...(force && { force }), ...(sub && { sub }) }
    if (answer.code < 300) {
      if (!live) born = Date.parse(answer.body.metadata.creationTimestamp) - 1000
      live = answer.body
      const after = normal(live, born)
      steps.push({ ...said, body: sentBody(), object: delta(before, after) })
      before = after
    } else if (
      live &&
      (answer.code === 409 ||
        answer.body.message === 'the server rejected our request due to an error in our request')
    ) {
      const { code, message, details } = answer.body
      steps.push({
        ...said,
        body: sentBody(),
        refused: { code, message, ...(details?.causes && { causes: sortCauses(details.causes) }) },
      })
    }
  }
  await ask('PATCH', at, { metadata: { finalizers: null } }, 'application/merge-patch+json')
  await ask('DELETE', at)
  return { kind, steps }
}

const output = createWriteStream('/dev/stdout')
for (let index = 0; index < Number(countText); index += 1) {
  const kind = index % 16 === 0 ? 'Deployment' : index % 3 === 0 ? 'PodAllocation' : 'ConfigMap'
  const sequence = await record(kind, `r${seedText}-${index}`)
  output.write(`${JSON.stringify(sequence).replaceAll(`r${seedText}-${index}`, 'r')}\n`)
}
agent.destroy()
