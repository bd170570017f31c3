/** Where the names of dots fit in a picture: beside their dot, as near as others leave room. */

export type Named = {
  readonly name: string
  readonly x: number
  readonly y: number
  /** Of the bar through it. */
  readonly left: number
  readonly right: number
}

/** `x` is where the text begins or, left of its dot, ends; `y` its middle. */
export type Label = Pick<Named, 'name' | 'x' | 'y'> & { readonly isLeft: boolean }

type Box = {
  readonly left: number
  readonly right: number
  readonly y: number
  readonly half: number
}

const height = 14
const gap = 8
/** Of a letter, on average. */
const letter = 7
const dotHalf = 6
const barHalf = 2

/** In the order of the dots; a label is right of its dot if it can be, and else left, above or below. */
export function placeLabels(dots: readonly Named[], right: number): Label[] {
  const taken = dots.flatMap(({ x, y, left, right }): Box[] => [
    { left: x - dotHalf, right: x + dotHalf, y, half: dotHalf },
    { left, right, y, half: barHalf },
  ])
  return dots.map((dot) => {
    const width = dot.name.length * letter
    for (let away = 0; ; away += 1) {
      const places = [false, true].flatMap((isLeft) =>
        [dot.y - away, dot.y + away].map((y) => ({ isLeft, y })),
      )
      for (const { isLeft, y } of places) {
        const x = isLeft ? dot.x - gap : dot.x + gap
        const left = isLeft ? x - width : x
        const box = { left, right: left + width, y, half: height / 2 }
        if (box.right > right || taken.some((other) => overlap(box, other))) continue
        taken.push(box)
        return { name: dot.name, x, y, isLeft }
      }
    }
  })
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && Math.abs(a.y - b.y) < a.half + b.half
