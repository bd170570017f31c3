import type { Token } from '../charts/colours.ts'

const colours: Readonly<Record<string, Token>> = {
  static: 'muted',
  unlimited: 'limit',
  vpa: 'quota',
  koordinator: 'need',
  captain: 'request',
  mbcas: 'used',
}

export const armColour = (name: string): Token => colours[name] ?? 'demand'
