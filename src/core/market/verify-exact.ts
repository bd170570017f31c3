/** One bidder's part in what was shared: `above` its base before rounding, `units` after. */
export type Part = {
  readonly id: string
  readonly weight: number
  readonly cap: number
  readonly above: number
  readonly units: number
}

/** Of capacity. Primal-dual stops at 1e-12, the others are exact up to rounding. */
export const tolerance = 1e-9

type Judged = { readonly problems: string[]; readonly residual: number }
type Claim = { readonly amount: number; readonly capacity: number; readonly price: number | null }

/** Nash: one price for all below their cap; the capped would pay at least as much. */
export function verifyGradients(parts: readonly Part[], claim: Claim): Judged {
  const { amount, price } = claim
  const judged = sumJudgement(parts, claim)
  if (amount === 0) {
    if (price !== null) judged.problems.push(`expected price to be null, got ${price}`)
    return judged
  }
  if (price === null || !(price > 0)) {
    return { ...judged, problems: [...judged.problems, `expected a positive price, got ${price}`] }
  }
  return judge(judged, parts, (part) => {
    const gradient = part.weight / part.above
    const off = isCapped(part, claim) ? Math.max(0, price - gradient) : Math.abs(gradient - price)
    // Half a rounding of `exact` moves the gradient of a bid with little above its floor a lot.
    const own = Math.max(off / price - roundingOf(part, claim), 0)
    return { off: own, why: `its marginal worth ${gradient} against the price ${price}` }
  })
}

/** Equal fractions: one weighted fraction for all below their cap; the capped have no more. */
export function verifyFractions(parts: readonly Part[], claim: Claim): Judged {
  const judged = sumJudgement(parts, claim)
  const fraction = (part: Part) => part.above / (part.weight * part.cap)
  const open = parts.filter((part) => part.cap > 0 && !isCapped(part, claim))
  // Read off the part that rounding hurts least.
  const largest = open.reduce(
    (a: Part | undefined, b) => (a && a.above >= b.above ? a : b),
    undefined,
  )
  const common = largest === undefined ? Infinity : fraction(largest)
  if (claim.price !== null) {
    const slope = open.reduce((sum, part) => sum + part.weight * part.cap, 0)
    if (!(Math.abs(claim.price * slope - 1) <= tolerance)) {
      judged.problems.push(`expected price to be ${1 / slope}, got ${claim.price}`)
    }
  }
  return judge(judged, parts, (part) => {
    const own = fraction(part)
    const off = isCapped(part, claim) ? Math.max(0, own - common) : Math.abs(common - own)
    const relative = common > 0 && common < Infinity ? off / common - roundingOf(part, claim) : 0
    return {
      off: Math.max(relative, 0),
      why: `its weighted fraction ${own} against ${common} of others`,
    }
  })
}

const isCapped = (part: Part, { capacity }: Claim): boolean =>
  part.cap - part.above <= tolerance * Math.max(1, capacity) * 1e-3

const roundingOf = (part: Part, { capacity }: Claim): number =>
  (4 * Number.EPSILON * Math.max(1, capacity)) / Math.max(part.above, Number.MIN_VALUE)

function sumJudgement(parts: readonly Part[], { amount, capacity }: Claim): Judged {
  const sum = parts.reduce((all, part) => all + part.above, 0)
  const residual = Math.abs(sum - amount) / Math.max(1, capacity)
  const problems =
    residual <= tolerance
      ? []
      : [`expected the exact values to use ${amount} above the base, got ${sum}`]
  return { problems, residual }
}

function judge(
  start: Judged,
  parts: readonly Part[],
  measure: (part: Part) => { off: number; why: string },
): Judged {
  const problems = [...start.problems]
  let { residual } = start
  for (const part of parts) {
    if (part.cap === 0) continue
    const { off, why } = measure(part)
    if (!(off <= tolerance)) problems.push(`bid "${part.id}": not at the common level: ${why}`)
    residual = Math.max(residual, off)
  }
  return { problems, residual }
}
