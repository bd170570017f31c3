/** The colours of the style sheet, for canvases, and those of the bands. */
import { blend } from '../model/colours.ts'

const tokens = [
  'page',
  'raised',
  'text',
  'muted',
  'line',
  'link',
  'used',
  'demand',
  'need',
  'request',
  'limit',
  'quota',
  'price',
  'bad',
  'band-uncongested',
  'band-congested',
  'band-overloaded',
] as const
export type Token = (typeof tokens)[number]
export type Colours = Readonly<Record<Token, string>>

/** As the style sheet has them in the theme that is on now. */
export function readColours(): Colours {
  const probe = document.createElement('i')
  document.body.append(probe)
  const read = (token: Token): string => {
    probe.style.color = `var(--${token})`
    return getComputedStyle(probe).color
  }
  const colours = Object.fromEntries(tokens.map((token) => [token, read(token)])) as Colours
  probe.remove()
  return colours
}

/** Okabe and Ito's, without black: they differ for every kind of colour vision. */
const HUES = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'] as const
export const BAND_HUES = HUES.length
/** Each hue three times, from strong to pale, so that 21 pods differ. */
const SHADES = [0.1, 0.45, 0.7] as const

export function bandColour(index: number, isDark: boolean): `#${string}` {
  const hue = HUES[index % HUES.length] ?? HUES[0]
  const shade = SHADES[Math.floor(index / HUES.length) % SHADES.length] ?? SHADES[0]
  // In the dark the strong ones are a little darker, or they would dazzle.
  return isDark
    ? blend(blend(hue, '#ffffff', shade - 0.1), '#14161a', 0.3)
    : blend(hue, '#ffffff', shade)
}
