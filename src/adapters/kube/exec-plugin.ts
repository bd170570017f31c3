/** Runs an exec credential plugin, such as `aws eks get-token`, gke-gcloud-auth-plugin or kubelogin. */
import { spawn } from 'node:child_process'

import type { ExecPlugin } from './config.ts'

/** A plugin may ask a cloud; one that asks a person has as much time as it wants. */
const longestRun = 60_000
const mostOutput = 1_000_000

export type ExecCredential = {
  readonly token: string | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
  /** Milliseconds since 1970; without it the credential is good until the server refuses it. */
  readonly expires: number | undefined
}

export async function runExecPlugin(
  plugin: ExecPlugin,
  { user, timeout = longestRun }: { readonly user: string; readonly timeout?: number },
): Promise<ExecCredential> {
  const title = `running the exec plugin ${plugin.command} of ${user}`
  try {
    return parseCredential(await outputOf(plugin, timeout), plugin)
  } catch (error) {
    throw new Error(`${title}: ${(error as Error).message}`, { cause: error })
  }
}

async function outputOf(plugin: ExecPlugin, timeout: number): Promise<string> {
  const interactive = plugin.interactiveMode !== 'Never' && process.stdin.isTTY
  if (plugin.interactiveMode === 'Always' && !interactive) {
    throw new Error('it wants to ask a person (interactiveMode: Always), but there is no terminal')
  }
  const request = {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: { cluster: plugin.cluster, interactive },
  }
  const child = spawn(plugin.command, plugin.args, {
    env: { ...process.env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(request) },
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
  })
  let [output, complaint] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000)
    if (interactive) process.stderr.write(text)
  })
  return new Promise((resolve, reject) => {
    const give = (up: string) => {
      child.kill('SIGKILL')
      for (const stream of [child.stdout, child.stderr]) stream.destroy() // a grandchild may hold them
      reject(new Error(`${up}${complaint === '' ? '' : `: ${complaint.trim()}`}`))
    }
    const timer = interactive
      ? undefined
      : setTimeout(() => give(`it did not end within ${timeout / 1000} s`), timeout)
    child.stdout.on('data', () => {
      if (output.length > mostOutput) give(`it printed more than ${mostOutput} characters`)
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      reject(error.code === 'ENOENT' ? notInstalled(plugin, error) : error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else
        reject(
          new Error(
            `it ended with ${code ?? signal}: ${complaint.trim() || 'and said nothing'}; log in again, or run it by hand to see why`,
          ),
        )
    })
  })
}

const notInstalled = ({ installHint, command }: ExecPlugin, cause: Error): Error =>
  new Error(
    `it is not installed, or not on the PATH: ${installHint ?? `install ${command}, or name its full path in the kubeconfig`}`,
    { cause },
  )

function parseCredential(output: string, plugin: ExecPlugin): ExecCredential {
  const answer = parseJson(output)
  if (answer.kind !== 'ExecCredential' || answer.apiVersion !== plugin.apiVersion) {
    throw new Error(
      `expected an ExecCredential of ${plugin.apiVersion}, got ${answer.kind ?? 'no kind'} of ` +
        `${answer.apiVersion ?? 'no apiVersion'}; set apiVersion in exec of the kubeconfig to what this ` +
        'version of the plugin prints, or update the plugin',
    )
  }
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer.status ?? {}
  if (!token && !(clientCertificateData && clientKeyData)) {
    throw new Error(
      'expected a token, or a client certificate with its key, in status, got neither',
    )
  }
  const expires = expirationTimestamp ? Date.parse(expirationTimestamp) : undefined
  if (expires !== undefined && Number.isNaN(expires)) {
    throw new Error(`expected expirationTimestamp to be a time, got "${expirationTimestamp}"`)
  }
  return {
    token: token || undefined,
    certificate: clientCertificateData || undefined,
    key: clientKeyData || undefined,
    expires,
  }
}

type Answer = {
  kind?: string
  apiVersion?: string
  status?: {
    token?: string
    clientCertificateData?: string
    clientKeyData?: string
    expirationTimestamp?: string
  }
}

function parseJson(output: string): Answer {
  try {
    const value = JSON.parse(output) as unknown
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Said below: the output may hold a secret, so that it is not shown.
  }
  throw new Error(
    `expected an ExecCredential in JSON, got ${output.length} characters that are not`,
  )
}
