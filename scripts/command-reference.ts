/** docs/reference/cli.md, written from the commands themselves. */
import type { Argument, Command, Option } from 'commander'

import { examplesOf } from '../src/apps/cli/commands/shared.ts'
import { exitCodes } from '../src/apps/main.ts'
import { code, header } from './reference.ts'

export function commandPage(program: Command): string {
  const codes = Object.entries(exitCodes).map(([number, meaning]) => `| ${number} | ${meaning} |`)
  return [
    header,
    '',
    '# Commands',
    '',
    '[The command line](../guide/cli.md) goes through the commands that ask a cluster.',
    '',
    '| exit code | meaning |',
    '|---|---|',
    ...codes,
    '',
    leaves(program).map(sectionOf).join('\n'),
  ].join('\n')
}

function sectionOf({ path, command }: Leaf): string {
  const words = [path, ...command.registeredArguments.map(argumentText)]
  const examples = examplesOf(command)
  const width = Math.max(...examples.map((one) => one.command.length))
  const rows = command.options.map(optionRow)
  return [
    `## ${path}`,
    '',
    command.description(),
    '',
    ...(words.length > 1 ? [code(words.join(' ')), ''] : []),
    ...(rows.length > 0 ? ['| option | meaning | default |', '|---|---|---|', ...rows, ''] : []),
    ...(examples.length > 0
      ? [
          '```sh',
          ...examples.map(({ command, about }) => `${command.padEnd(width)}  # ${about}`),
          '```',
          '',
        ]
      : []),
  ].join('\n')
}

function argumentText(argument: Argument): string {
  const choices = argument.argChoices?.join('|') ?? argument.name()
  return argument.required ? `<${choices}>` : `[${choices}]`
}

function optionRow({ flags, description, argChoices, defaultValue }: Option): string {
  const choices = argChoices?.map(code).join(', ')
  const meaning = choices === undefined ? description : `${description}: ${choices}`
  return `| ${code(flags)} | ${meaning} | ${defaultValue === undefined ? '' : code(String(defaultValue))} |`
}

type Leaf = { readonly path: string; readonly command: Command }

function leaves(command: Command, above = ''): Leaf[] {
  const path = `${above} ${command.name()}`.trim()
  const children = command.commands.filter((child) => !child.name().startsWith('__'))
  if (children.length === 0) return [{ path, command }]
  return children.flatMap((child) => leaves(child, path))
}
