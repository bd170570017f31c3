/** Of what kubectl printed. */
import type { ContractServer } from './case.ts'
import { kubectl } from './expect.ts'

export const needs = ['kubectl'] as const
export const linesOf = (text: string) => text.trimEnd().split('\n')
/** Columns of a printed table, which kubectl pads with at least three spaces. */
export const cellsOf = (line = '') => line.trimEnd().split(/ {2,}/)

export const printed = async (server: ContractServer, namespace: string, args: readonly string[]) =>
  linesOf(await kubectl(server, ['-n', namespace, ...args]))
