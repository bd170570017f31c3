import { dirname, resolve } from 'node:path'

import { InvalidInput } from '../../core/errors.ts'
import type { ExecPlugin } from './config.ts'
import type { ExecEntry } from './kubeconfig-file.ts'

const known = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

export function execPluginOf(
  entry: ExecEntry,
  { file, where }: { readonly file: string; readonly where: string },
  cluster: () => unknown,
): ExecPlugin {
  if (!entry.command) throw new InvalidInput(`reading ${where}: exec has no command`)
  const apiVersion = entry.apiVersion ?? ''
  if (!known.includes(apiVersion)) {
    throw new InvalidInput(
      `reading ${where}: expected the apiVersion of exec to be ${known.join(' or ')}, got "${apiVersion}"; ` +
        `update ${entry.command} and have it write the kubeconfig anew`,
    )
  }
  return {
    apiVersion,
    // A bare name is looked up on the PATH, a path is relative to the kubeconfig.
    command: /[/\\]/.test(entry.command) ? resolve(dirname(file), entry.command) : entry.command,
    args: entry.args ?? [],
    env: Object.fromEntries((entry.env ?? []).map(({ name, value }) => [name, value])),
    installHint: entry.installHint?.trim() || undefined,
    interactiveMode: entry.interactiveMode ?? 'IfAvailable',
    cluster: entry.provideClusterInfo === true ? cluster() : undefined,
  }
}
