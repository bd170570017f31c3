// Installs the locked dependencies and builds, when needed. Runs before anything is installed,
// so it uses Node alone.
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { say, step } from './step.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const at = (/** @type {string[]} */ ...parts) => join(root, ...parts)

const oldestNode = [20, 19]
const installed = at('node_modules', '.mbcas-installed')
const built = at('dist', '.mbcas-built')
const lock = at('.mbcas-setup.lock')

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [needMajor = 0, needMinor = 0] = oldestNode
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return
  throw new Error(`Node >= ${oldestNode.join('.')} is needed, this is ${process.versions.node}`)
}

/** A folder's own time counts too: it changes when a file in it is deleted. */
function newest(/** @type {string} */ path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  let time = stat.mtimeMs
  for (const name of readdirSync(path)) time = Math.max(time, newest(join(path, name)))
  return time
}

/** Nothing, if there is no such file; asked first, it could be gone by the time it is read. */
function read(/** @type {string} */ path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const installNeeded = () => read(installed) !== read(at('package-lock.json'))
const sources = ['src', 'test', 'web', 'scripts', 'tsconfig.json', 'package-lock.json']
/** Another set-up may be building, and take the mark away at any moment. */
const buildNeeded = () => {
  const { mtimeMs = -Infinity } = statSync(built, { throwIfNoEntry: false }) ?? {}
  return sources.some((path) => newest(at(path)) > mtimeMs)
}

async function install() {
  if (!installNeeded()) return
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  await step('installing the locked dependencies', npm, args, { cwd: root })
  writeFileSync(installed, read(at('package-lock.json')))
}

async function build() {
  if (!buildNeeded()) return
  const start = new Date()
  rmSync(built, { force: true })
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc')
  await step('building', process.execPath, [tsc, '-p', root], { cwd: root })
  const bundle = (/** @type {string} */ what) => [at('scripts', `bundle-${what}.mjs`)]
  await step('bundling the page', process.execPath, bundle('page'), { cwd: root })
  await step('bundling the command line', process.execPath, bundle('cli'), { cwd: root })
  writeFileSync(built, sources.join('\n')) // bin/mbcas looks whether any is newer
  utimesSync(built, start, start) // so that a file saved while building counts as newer
}

/** Two commands started at once must not install over each other. */
async function locked(/** @type {() => Promise<void>} */ work) {
  const own = String(process.pid)
  for (let said = false; ;) {
    try {
      writeFileSync(lock, own, { flag: 'wx' })
      await sleep(50) // another that found the same dead lock may yet remove ours
      if (read(lock) === own) break
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      if (abandoned()) rmSync(lock, { force: true })
      else if (!said) say(`waiting for another set-up (process ${read(lock)})`)
      said = true
      await sleep(200)
    }
  }
  const keep = setInterval(() => existsSync(lock) && utimesSync(lock, new Date(), new Date()), 2000)
  try {
    await work()
  } finally {
    clearInterval(keep)
    rmSync(lock, { force: true })
  }
}

/** Its owner is dead, or has not renewed it for long: the number may by now be of another process. */
function abandoned() {
  const owner = Number(read(lock))
  if (owner > 0 && !alive(owner)) return true
  const stat = statSync(lock, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > 30_000
}

function alive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM' // it is another user's
  }
}

try {
  checkNode()
  if (installNeeded() || buildNeeded()) {
    await locked(async () => {
      await install()
      await build()
    })
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
