import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { step } from '../step.mjs'
import { inPlace } from './in-place.mjs'
import { places } from './places.mjs'

export async function kubernetes() {
  const { path, source } = places.kubernetes
  const version = /k8s\.io\/kubernetes v(\d+)\.(\d+)\.\d+/.exec(
    readFileSync(join(source, 'go.mod'), 'utf8'),
  )
  const named = {
    gitVersion: version?.[0].split(' ')[1],
    gitMajor: version?.[1],
    gitMinor: version?.[2],
  }
  const flags = Object.entries(named).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`, // else it says v0.0.0
  )
  await inPlace(path, (folder) =>
    goBuild(`building Kubernetes ${named.gitVersion} (7 minutes when Go's cache is cold)`, source, [
      '-ldflags',
      ['-s -w', ...flags].join(' '),
      '-o',
      `${folder}/`,
      'tool',
    ]),
  )
}

export async function quantityOracle() {
  const { path, source } = places.quantityOracle
  await inPlace(dirname(path), (folder) =>
    goBuild('building the quantity oracle', source, ['-o', join(folder, 'quantity-oracle'), '.']),
  )
}

export const resizeOracle = async () => oracleOf('resize-oracle', places.resizeOracle)
export const cpuOracle = async () => oracleOf('cpu-oracle', places.cpuOracle)

/** In the module of Kubernetes, so that nothing is compiled twice. */
async function oracleOf(
  /** @type {string} */ name,
  /** @type {{ path: string, source: { module: string, file: string } }} */ { path, source },
) {
  await inPlace(dirname(path), (folder) =>
    goBuild(`building the ${name} (7 minutes when Go's cache is cold)`, source.module, [
      '-ldflags',
      '-s -w',
      '-o',
      join(folder, name),
      source.file,
    ]),
  )
}

export async function vpa() {
  const { path, source, kinds } = places.vpa
  await inPlace(path, async (folder) => {
    const title = 'building the Vertical Pod Autoscaler (2.5 minutes)'
    await goBuild(title, source, ['-ldflags', '-s -w', '-o', `${folder}/`, 'tool'])
    const module = folderOf('k8s.io/autoscaler/vertical-pod-autoscaler', source)
    copyFileSync(join(module, kinds), join(folder, basename(kinds)))
  })
}

export async function metricsServer() {
  const { path, source } = places.metricsServer
  await inPlace(dirname(path), (folder) =>
    goBuild('building metrics-server (2.7 minutes)', source, [
      '-ldflags',
      '-s -w',
      '-o',
      `${folder}/`,
      'tool',
    ]),
  )
}

/** Where Go has unpacked a module: what is no code of it lies there too. */
function folderOf(/** @type {string} */ module, /** @type {string} */ cwd) {
  const list = ['list', '-m', '-f', '{{.Dir}}', module]
  const { stdout, stderr } = spawnSync('go', list, { cwd, encoding: 'utf8' })
  if (stdout.trim() === '') throw new Error(`finding the files of ${module}: ${stderr}`)
  return stdout.trim()
}

/** `-v` names each package as it is compiled: that is the progress. */
async function goBuild(
  /** @type {string} */ title,
  /** @type {string} */ cwd,
  /** @type {string[]} */ args,
) {
  if (spawnSync('go', ['version']).status !== 0)
    throw new Error('go is not on the PATH; install Go 1.26 or later')
  await step(title, 'go', ['build', '-v', '-trimpath', ...args], { cwd })
}
