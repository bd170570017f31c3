/** The real counterparts that `npm run real:setup` makes: a path, or why there is none. */

export type Counterpart =
  | { readonly path: string }
  | { readonly path: undefined; readonly missing: string }

interface Place {
  readonly what: string
  readonly path: string
  readonly ready: () => boolean
}
type Part =
  | 'packages'
  | 'kubernetes'
  | 'vpa'
  | 'metricsServer'
  | 'oracleVenv'
  | 'quantityOracle'
  | 'resizeOracle'
  | 'cpuOracle'
  | 'officialClient'
  | 'cgroup2Kernel'
  | 'prometheus'
  | 'chromium'
  | 'shells'
  | 'programs'
  | 'node24'

// Imported where it lies, from dist/test: the set-up that it belongs to runs before any build.
const script = new URL('../../scripts/real/places.mjs', import.meta.url)
const { places } = (await import(script.href)) as { places: Record<Part, Place> }

const found = ({ what, path, ready }: Place, made: string): Counterpart =>
  ready()
    ? { path }
    : { path: undefined, missing: `${what} is not ${made}; run npm run real:setup` }

const asRoot = (): Counterpart =>
  process.getuid?.() === 0
    ? { path: '/' }
    : { path: undefined, missing: 'a real node needs root on Linux; run as root' }

export const real = {
  kubernetes: found(places.kubernetes, 'built'),
  vpa: found(places.vpa, 'built'),
  metricsServer: found(places.metricsServer, 'built'),
  packages: found(places.packages, 'installed'),
  oracleVenv: found(places.oracleVenv, 'installed'),
  quantityOracle: found(places.quantityOracle, 'built'),
  resizeOracle: found(places.resizeOracle, 'built'),
  cpuOracle: found(places.cpuOracle, 'built'),
  officialClient: found(places.officialClient, 'installed'),
  cgroup2Kernel: found(places.cgroup2Kernel, 'installed'),
  prometheus: found(places.prometheus, 'installed'),
  chromium: found(places.chromium, 'installed'),
  shells: found(places.shells, 'installed'),
  programs: found(places.programs, 'installed'),
  node24: found(places.node24, 'installed'),
  root: asRoot(),
}

/** What a real cluster needs. */
export const realCluster = [real.kubernetes, real.packages, real.root]

/** For node:test: `test(name, { skip: skipUnless(real.kubernetes) }, ...)`. */
export function skipUnless(...parts: readonly Counterpart[]): string | false {
  for (const part of parts) if (part.path === undefined) return part.missing
  return false
}

export function pathOf(part: Counterpart): string {
  if (part.path === undefined) throw new Error(part.missing)
  return part.path
}
