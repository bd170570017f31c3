/** Completion in the shells themselves. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { each } from '../each.ts'
import { real, skipUnless } from '../real.ts'
import { root, run, withPath } from '../run.ts'
import { startInTerminal } from './terminal.ts'

/** Without a cluster. */
const env = { ...withPath(join(root, 'bin')), KUBECONFIG: '/nowhere' }

/** As readline calls it: the words so far, and what it would offer. */
const inBash = `
source <(mbcas completion bash)
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_mbcas "$1" "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]}"
`

void describe('completion in bash', () => {
  each(
    [
      { name: 'a command', words: ['mbcas', 'sta'], offers: 'status\n' },
      { name: 'a kind', words: ['mbcas', 'explain', 'p'], offers: 'pod\n' },
      { name: 'a format', words: ['mbcas', 'status', '-o', 'y'], offers: 'yaml\n' },
      {
        name: 'a format after =',
        words: ['mbcas', 'status', '--output', '=', 'w'],
        offers: 'wide\n',
      },
      {
        name: 'names of a cluster that is not there',
        words: ['mbcas', 'explain', 'pod', ''],
        offers: '\n',
      },
    ],
    async ({ words, offers }) => {
      const { stdout, stderr } = await run('bash', ['-c', inBash, 'bash', ...words], { env })
      assert.equal(stdout, offers, stderr)
    },
  )
})

/** Types a line with tabs in an interactive shell, and looks at what the completed line prints. */
async function typeInto(shell: readonly string[], ...lines: readonly string[]): Promise<void> {
  const terminal = startInTerminal(shell, env)
  for (const line of lines) {
    terminal.press(`${line} && echo do''ne\\r`) // what is typed is shown, too
    await terminal.until(/done/)
  }
  terminal.press('mbcas explain rea\\tNodeH\\t\\r')
  await terminal.until(/decreases of other pods free the rest/)
  terminal.press('exit\\r')
  assert.equal((await terminal.ended).code, 0)
}

void describe('completion by the tab key', () => {
  void test('in bash', async () => {
    await typeInto(['bash', '--norc', '-i'], 'source <(mbcas completion bash)')
  })

  void test('in zsh', { skip: skipUnless(real.shells) }, async () => {
    const load = 'source <(mbcas completion zsh)'
    await typeInto(['zsh', '-f', '-i'], 'autoload -Uz compinit && compinit -D', load)
  })

  void test('in fish', { skip: skipUnless(real.shells) }, async () => {
    const script = 'mbcas completion fish | source; complete --do-complete "mbcas sta"'
    const { stdout, stderr } = await run('fish', ['--no-config', '-c', script], { env })
    assert.match(stdout, /^status\tIs anyone suffering/m, stderr)
  })
})
