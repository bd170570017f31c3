/** The real cluster as a tool: it resizes as Kubernetes does, and leaves nothing behind. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { cgroupFolders } from '../kubernetes/cgroups.ts'
import { readClaims, type Claim } from '../kubernetes/claims.ts'
import { sweep } from '../kubernetes/cleanup.ts'
import { startCluster, type Cluster } from '../kubernetes/cluster.ts'
import { busyboxImage } from '../kubernetes/images.ts'
import { alive, kill } from '../kubernetes/processes.ts'
import { realCluster, skipUnless } from '../real.ts'
import { until } from '../until.ts'

const skip = skipUnless(...realCluster)

const burner = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'burner' },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'main',
        image: busyboxImage,
        imagePullPolicy: 'Never',
        command: ['sh', '-c', 'echo burning; while :; do :; done'],
        resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
      },
    ],
  },
}

interface Pod {
  readonly metadata: { readonly uid: string }
  readonly status: {
    readonly podIP: string
    readonly containerStatuses: readonly [{ containerID: string; restartCount: number }]
  }
}

const resize = (cpu: { requests: string; limits: string }) => {
  const resources = { requests: { cpu: cpu.requests }, limits: { cpu: cpu.limits } }
  const patch = JSON.stringify({ spec: { containers: [{ name: 'main', resources }] } })
  return ['patch', 'pod', 'burner', '--subresource=resize', `--patch=${patch}`]
}

/** In µs a period of 100 ms. */
function quota(folder: string): number {
  const files = ['cpu.cfs_quota_us', 'cpu.max'].map((name) => join(folder, name)) // v1, v2
  const file = files.find((path) => existsSync(path))
  assert.ok(file, `no quota in ${folder}`)
  return parseInt(readFileSync(file, 'utf8'), 10)
}

/** What there is of a cluster, in any process's eyes. */
function traces({ name, folder }: Pick<Claim, 'name' | 'folder'>): string[] {
  const found = [...cgroupFolders(name), folder, `/sys/class/net/${name}`].filter((path) =>
    existsSync(path),
  )
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)))
    for (const file of ['cmdline', 'mountinfo'])
      if (pid !== String(process.pid) && readQuietly(`/proc/${pid}/${file}`).includes(folder))
        found.push(`${file} of process ${pid}`)
  return [
    ...found,
    ...readClaims()
      .filter((claim) => claim.name === name)
      .map(String),
  ]
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // the process has ended
  }
}

const kernelSettings = () =>
  ['kernel/panic', 'kernel/panic_on_oops', 'vm/overcommit_memory', 'net/ipv4/ip_forward'].map(
    (name) => `${name}=${readFileSync(`/proc/sys/${name}`, 'utf8').trim()}`,
  )

void describe('a real cluster', { skip }, () => {
  let cluster: Cluster
  let pod: Pod
  const settings = kernelSettings()
  const readPod = async () =>
    JSON.parse(await cluster.kubectl(['get', 'pod', 'burner', '-o', 'json'])) as Pod
  const container = () => {
    const id = pod.status.containerStatuses[0].containerID.replace('containerd://', '')
    return join(cluster.cpuCgroupRoot, 'kubepods', 'burstable', `pod${pod.metadata.uid}`, id)
  }

  before(async () => {
    cluster = await startCluster({ say: (text) => console.log(`  ${text}`) })
  })

  void test('runs a pod with a limit in its cgroup', async () => {
    const start = performance.now()
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(burner))
    await cluster.kubectl(['wait', '--for=condition=Ready', 'pod/burner', '--timeout=300s'])
    pod = await readPod()
    console.log(`  pod Ready: ${Math.round(performance.now() - start)} ms`)
    assert.equal(quota(container()), 20_000)
  })

  void test('resizes it in place', async () => {
    const start = performance.now()
    const answered = cluster
      .kubectl(resize({ requests: '300m', limits: '500m' }))
      .then(() => performance.now())
    await until(
      'the quota',
      () => quota(container()) === 50_000,
      () => quota(container()),
    )
    const changed = performance.now()
    const [all, rest] = [changed - start, changed - (await answered)].map(Math.round)
    console.log(`  quota in the cgroup: ${all} ms from kubectl's start, ${rest} ms from its answer`)
    assert.equal((await readPod()).status.containerStatuses[0].restartCount, 0)
  })

  void test('refuses a request above the node with 403', async () => {
    await assert.rejects(
      cluster.kubectl(resize({ requests: '1000', limits: '1000' })),
      /\(Forbidden\).*node didn't have enough allocatable resources: cpu, requested: 1000000/,
    )
  })

  void test('answers exec and logs from the pod', async () => {
    assert.equal(await cluster.kubectl(['exec', 'burner', '--', 'echo', 'hello']), 'hello\n')
    assert.equal(await cluster.kubectl(['logs', 'burner']), 'burning\n')
  })

  void test('leaves nothing behind', async () => {
    const start = performance.now()
    await cluster.stop()
    console.log(`  stopped: ${Math.round(performance.now() - start)} ms`)
    assert.deepEqual(traces(cluster), [])
    assert.deepEqual(kernelSettings(), settings)
  })
})

void describe('a real cluster whose owner is killed', { skip }, () => {
  const main = fileURLToPath(new URL('../kubernetes/main.js', import.meta.url))

  async function startElsewhere(): Promise<Claim> {
    const folder = mkdtempSync(join(tmpdir(), 'mbcas-owner-'))
    const args = [main, 'run', '--folder', folder, '--nodes', '2']
    const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const text of owner.stdout) if (String(text).includes('KUBECONFIG')) break
    const claim = readClaims().find((claim) => claim.folder === folder)
    assert.ok(claim)
    assert.equal(claim.owner.pid, owner.pid)
    return claim
  }

  void test('goes with it', async () => {
    const claim = await startElsewhere()
    assert.notDeepEqual(traces(claim), [])
    const start = performance.now()
    await kill(claim.owner)
    await until(
      'everything to be gone',
      () => traces(claim).length === 0,
      () => traces(claim),
    )
    console.log(`  gone ${Math.round(performance.now() - start)} ms after kill -9`)
  })

  void test('is swept by the next start where its keeper was killed, too', async () => {
    const claim = await startElsewhere()
    if (claim.keeper !== undefined) await kill(claim.keeper)
    await kill(claim.owner)
    await until('its processes to end', () => !alive(claim.init))
    assert.notDeepEqual(traces(claim), [])
    await sweep()
    assert.deepEqual(traces(claim), [])
  })
})
