/**
 * A machine within the machine: a pid and a mount namespace. Its first process reads from us; when
 * we close the pipe, or die in any way, it ends, and with it the kernel ends all processes and
 * mounts of the namespaces: containers and their shims too. The keeper, outside, then takes away
 * the rest. So a crash cleans up as a stop does, by the same path.
 *
 *   we ── keeper (sh) ── unshare ── first process ── shims ── containers
 *    └─── nsenter ── etcd, kube-apiserver, containerd, kubelet, ...
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

import { registry, updateClaim, type Claim } from './claims.ts'
import { answer, identify, parseStat, type Identity } from './processes.ts'

const main = fileURLToPath(new URL('main.js', import.meta.url))

/** When the first process has ended, the keeper becomes `main.js clean NAME`. */
const keeperScript = `
  unshare --mount --pid --fork --kill-child sh -c "$1" 2>&1
  exec "$2" "$3" clean "$4" 2> "$5"`

/**
 * What the kubelet and CNI write to fixed places stays inside. The kubelet insists on these kernel
 * settings and would change them for the whole machine: it finds files that have them already.
 * Ignoring SIGCHLD makes the kernel reap the orphans that a first process inherits.
 */
export const hiddenFolders = ['/run', '/var/lib', '/var/log']
const insideScript = `
  set -e
  read -r stat < /proc/self/stat # while /proc is still that of the outside
  mount --make-rshared /
  mount -t proc proc /proc
  for folder in ${hiddenFolders.join(' ')}; do mount -t tmpfs tmpfs $folder; done
  for setting in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \\
    kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
    file=/run/settings/\${setting%=*}
    mkdir -p "\${file%/*}"
    echo "\${setting#*=}" > "$file"
    mount --bind "$file" "/proc/sys/\${setting%=*}"
  done
  echo "$stat"
  exec env --ignore-signal=CHLD cat > /dev/null`

export interface Machine {
  /** Starts a process inside. Its output goes to logs/<name>.log in the cluster's folder. */
  readonly start: (name: string, command: readonly string[]) => void
  /** Runs a command inside: what it printed. */
  readonly answer: (command: readonly string[]) => Promise<string>
  /** Throws if one of them has ended, with the last it said. */
  readonly check: () => void
  /** Ends everything and waits until it is taken away. */
  readonly close: () => Promise<void>
  /** Lets it live on when this process ends. */
  readonly leaveRunning: () => void
}

export async function openMachine(claim: Claim): Promise<Machine> {
  const logPath = join(registry, `${claim.name}.log`)
  const keeper = spawn(
    'sh',
    ['-c', keeperScript, 'keeper', insideScript, process.execPath, main, claim.name, logPath],
    { detached: true, stdio: ['pipe', 'pipe', 'ignore'], cwd: '/' },
  )
  if (keeper.pid === undefined) throw new Error('starting the keeper: sh is not on the PATH')
  const keeperIdentity = identify(keeper.pid)
  const ended = once(keeper, 'exit') as Promise<[code: number | null]>
  const { pid, started } = await firstProcess(keeper.stdout).catch(async (error: unknown) => {
    await ended
    throw error
  })
  updateClaim({ ...claim, keeper: keeperIdentity, init: { pid, started } })
  keeper.stdout.destroy()
  keeper.unref() // a test that ends without a stop ends the cluster, too
  const pipe = keeper.stdin as Socket
  pipe.unref()
  pipe.on('error', () => {}) // another process has taken the cluster down

  const enter = ['--target', String(pid), '--mount', '--pid', '--']
  const env = { PATH: process.env['PATH'], HOME: claim.folder } // no proxy settings
  const failures: string[] = []
  let closing = false
  return {
    start(name, command) {
      const path = join(claim.folder, 'logs', `${name}.log`)
      const log = openSync(path, 'a')
      const child = spawn('nsenter', [...enter, ...command], {
        detached: true,
        stdio: ['ignore', log, log],
        env,
      })
      closeSync(log)
      child.unref()
      child.on('exit', (code) => {
        if (closing || !existsSync(path)) return
        const last = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-10).join('\n')
        failures.push(`${name} ended with ${code}:\n${last}`)
      })
    },
    answer: async (command) => answer('nsenter', [...enter, ...command]),
    check() {
      if (failures.length > 0) throw new Error(failures.join('\n'))
    },
    async close() {
      closing = true
      keeper.ref()
      pipe.end()
      const [code] = await ended
      if (code !== 0) throw new Error(`cleaning up ${claim.name}: see ${logPath}`)
    },
    leaveRunning() {
      closing = true
      const holder = spawn('nsenter', [...enter, 'sleep', 'infinity'], {
        detached: true,
        stdio: ['ignore', 'ignore', 'ignore', pipe],
        env,
      })
      holder.unref()
    },
  }
}

async function firstProcess(output: Readable): Promise<Identity> {
  const said: string[] = []
  for await (const line of createInterface(output)) {
    if (/^\d+ \(/.test(line)) return parseStat(line)
    said.push(line)
  }
  throw new Error(`opening the namespaces: ${said.join('\n')}`)
}
