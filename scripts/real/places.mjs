// Where the real counterparts are kept: outside the checkout, each keyed by the hash of the files
// it is made from, so that another checkout with the same files finds it made.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const cache = join(homedir(), '.cache', 'mbcas')
const at = (/** @type {string[]} */ ...parts) => join(root, 'test', ...parts)

function hashOf(/** @type {string[]} */ ...files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

const onPath = (/** @type {string} */ program) =>
  ['/usr/sbin', '/sbin', ...(process.env.PATH ?? '').split(delimiter)].some((folder) =>
    existsSync(join(folder, program)),
  )

const busybox = { has: () => existsSync('/bin/busybox'), name: 'busybox-static' }

/** A program or file of the system that the cluster needs, and the Debian package that has it. */
const system = [
  { has: () => onPath('etcd'), name: 'etcd-server' },
  { has: () => onPath('containerd') && onPath('ctr'), name: 'containerd' },
  { has: () => onPath('runc'), name: 'runc' },
  { has: () => existsSync('/usr/lib/cni/bridge'), name: 'containernetworking-plugins' },
  busybox,
  { has: () => onPath('ip'), name: 'iproute2' },
]
const missingOf = (/** @type {(typeof busybox)[]} */ parts) =>
  parts.filter((part) => !part.has()).map((part) => part.name)
export const missingPackages = () => missingOf(system)

/** One that was installed otherwise is as good. */
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const browser = browsers.find((path) => existsSync(path)) ?? '/usr/bin/chromium-headless-shell'

const shells = ['zsh', 'fish']

const emulator = [{ has: () => onPath('qemu-system-x86_64'), name: 'qemu-system-x86' }, busybox]
export const missingEmulator = () => missingOf(emulator)

/** What the bench `programs` measures: none of it is ours. */
const postgres = '/usr/lib/postgresql/15/bin'
const programs = [
  { has: () => existsSync(join(postgres, 'pgbench')), name: 'postgresql-15' },
  { has: () => onPath('redis-server'), name: 'redis-server' },
  { has: () => onPath('nginx'), name: 'nginx-light' },
  { has: () => onPath('stress-ng'), name: 'stress-ng' },
  { has: () => onPath('cc'), name: 'gcc' },
]
export const missingPrograms = () => missingOf(programs)

const kubernetes = at('kubernetes')
const quantity = at('oracles', 'quantity')
const resize = at('oracles', 'resize', 'main.go')
const cpu = at('kubernetes', 'cpu-oracle')
const requirements = at('oracles', 'market', 'requirements.txt')
const official = at('bench', 'kube', 'official')

const quantityFiles = ['go.mod', 'go.sum', 'main.go', 'generate.go'].map((n) => join(quantity, n))
const officialFiles = ['package.json', 'package-lock.json'].map((name) => join(official, name))
const filesOfModule = (/** @type {string} */ folder) =>
  ['go.mod', 'go.sum'].map((name) => join(folder, name))
const vpa = join(kubernetes, 'vpa')
const vpaFolder = join(cache, 'vpa', hashOf(...filesOfModule(vpa)))
const metrics = join(kubernetes, 'metrics-server')
const metricsFolder = join(cache, 'metrics-server', hashOf(...filesOfModule(metrics)))
const metricsServer = join(metricsFolder, 'metrics-server')
const goFiles = filesOfModule(kubernetes)
const binaries = join(cache, 'kubernetes', hashOf(...goFiles))
const oracle = join(cache, 'quantity-oracle', hashOf(...quantityFiles), 'quantity-oracle')
const resizeOracle = join(cache, 'resize-oracle', hashOf(...goFiles, resize), 'resize-oracle')
const cpuFiles = ['main', 'machine', 'cpu', 'merge', 'play'].map((n) => join(cpu, `${n}.go`))
const cpuOracle = join(cache, 'cpu-oracle', hashOf(...goFiles, ...cpuFiles), 'cpu-oracle')
const venv = join(cache, 'oracle-venv')
const stamp = join(venv, `.mbcas-${hashOf(requirements)}`)
const client = join(cache, 'official-client', hashOf(...officialFiles))
const clientStamp = join(client, '.mbcas-installed')
const kernel = join(cache, 'cgroup2-kernel', 'vmlinuz')
const node24 = { version: '24.21.0', package: `node-${process.platform}-${process.arch}` }
const node24Folder = join(cache, 'node24', node24.version)
const node24Binary = join(node24Folder, 'node_modules', node24.package, 'bin', 'node')
const prometheus = join(cache, 'prometheus')

export const places = {
  packages: {
    what: "the node's software (etcd, containerd, runc, CNI plugins, busybox)",
    path: '/usr',
    source: '',
    ready: () => missingPackages().length === 0,
  },
  kubernetes: {
    what: 'Kubernetes 1.36',
    path: binaries,
    source: kubernetes,
    ready: () => existsSync(binaries), // renamed into place when whole
  },
  vpa: {
    what: 'the Vertical Pod Autoscaler 1.8.1',
    path: vpaFolder,
    source: vpa,
    /** The definitions of its kinds, a file of its module. */
    kinds: 'deploy/vpa-v1-crd-gen.yaml',
    ready: () => existsSync(vpaFolder),
  },
  metricsServer: {
    what: 'metrics-server 0.9.0',
    path: metricsServer,
    source: metrics,
    ready: () => existsSync(metricsServer),
  },
  oracleVenv: {
    what: "the market oracles' Python",
    path: venv,
    source: requirements,
    stamp,
    ready: () => existsSync(stamp),
  },
  quantityOracle: {
    what: "Kubernetes' quantity parser",
    path: oracle,
    source: quantity,
    ready: () => existsSync(oracle),
  },
  resizeOracle: {
    what: "Kubernetes' rules for resizing pods",
    path: resizeOracle,
    source: { module: kubernetes, file: resize },
    ready: () => existsSync(resizeOracle),
  },
  cpuOracle: {
    what: "an oracle of the kubelet's CPU, Memory and Topology Managers",
    path: cpuOracle,
    source: { module: kubernetes, file: './cpu-oracle' },
    ready: () => existsSync(cpuOracle),
  },
  officialClient: {
    what: 'the official Kubernetes client',
    path: client,
    source: officialFiles,
    stamp: clientStamp,
    ready: () => existsSync(clientStamp),
  },
  cgroup2Kernel: {
    what: 'QEMU with a cgroup v2 kernel',
    path: kernel,
    source: 'linux-image-cloud-amd64',
    ready: () => existsSync(kernel) && missingEmulator().length === 0,
  },
  prometheus: {
    what: 'Prometheus with promtool',
    path: join(prometheus, 'usr', 'bin'),
    folder: prometheus,
    source: 'prometheus',
    ready: () => existsSync(prometheus), // renamed into place when whole
  },
  chromium: {
    what: "Debian's Chromium",
    path: browser,
    source: 'chromium-headless-shell',
    ready: () => existsSync(browser),
  },
  shells: {
    what: 'zsh and fish',
    path: '/usr/bin',
    source: shells,
    ready: () => shells.every(onPath),
  },
  programs: {
    what: 'what the bench of programs runs (PostgreSQL 15, Redis, nginx, stress-ng, a C compiler)',
    path: postgres,
    source: '',
    ready: () => missingPrograms().length === 0,
  },
  node24: {
    what: 'Node 24',
    path: node24Binary,
    folder: node24Folder,
    source: `${node24.package}@${node24.version}`,
    ready: () => existsSync(node24Binary),
  },
}
