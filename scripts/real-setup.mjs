// Makes what the tests hold ours to: a real Kubernetes, VPA and metrics-server, Python's solvers, Kubernetes' own parser and
// rules, a kernel with cgroup v2, Prometheus, a browser, other shells, servers to measure, a newer Node.
//   npm run real:setup                  all parts
//   npm run real:setup -- kubernetes    the named parts: packages kubernetes vpa metricsServer oracleVenv
//                                       quantityOracle resizeOracle cpuOracle officialClient
//                                       cgroup2Kernel prometheus chromium shells programs node24
// A part that is there is left alone. One that cannot be had does not keep the others away.
import { cgroup2Kernel } from './real/cgroup2-kernel.mjs'
import {
  cpuOracle,
  kubernetes,
  metricsServer,
  quantityOracle,
  resizeOracle,
  vpa,
} from './real/golang.mjs'
import { node24, officialClient } from './real/npm-packages.mjs'
import { installPackages, packages } from './real/packages.mjs'
import { missingPrograms, places } from './real/places.mjs'
import { prometheus } from './real/prometheus.mjs'
import { oracleVenv } from './real/python.mjs'
import { say } from './step.mjs'

/** @type {Record<string, () => Promise<void>>} */
const parts = {
  packages,
  kubernetes,
  vpa,
  metricsServer,
  oracleVenv,
  quantityOracle,
  resizeOracle,
  cpuOracle,
  officialClient,
  cgroup2Kernel,
  prometheus,
  chromium: () => installPackages([places.chromium.source]),
  shells: () => installPackages(places.shells.source),
  programs: () => installPackages(missingPrograms()),
  node24,
}
const named = process.argv.slice(2)
const unknown = named.find((name) => !Object.hasOwn(parts, name))
if (unknown !== undefined) {
  say(`expected one of ${Object.keys(parts).join(', ')}, got ${unknown}`)
  process.exit(2)
}

/** @type {Map<string, string>} */
const missing = new Map()
for (const [name, place] of Object.entries(places)) {
  if (place.ready() || (named.length > 0 && !named.includes(name))) continue
  try {
    await parts[name]?.()
  } catch (error) {
    missing.set(name, error instanceof Error ? error.message : String(error))
  }
}

say('ready:')
for (const [name, { what, path, ready }] of Object.entries(places)) {
  const state = ready() ? path : `missing: ${missing.get(name) ?? 'not asked for'}`
  say(`  ${name} (${what}): ${state}`)
}
process.exit(missing.size > 0 ? 1 : 0)
