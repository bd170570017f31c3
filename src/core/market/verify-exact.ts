/** One bidder's part in what was shared: `above` its base before rounding, `units` after. */
export type Part = {
  readonly id: string
  readonly weight: number
  readonly base: number
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
    const paid = (price * part.above) / part.weight // 1 where the gradient is the price
    const off = isCapped(part) ? paid - 1 : Math.abs(paid - 1)
    const why = `its marginal worth ${part.weight / part.above} against the price ${price}`
    return { off: off - (price * roundingOf(part)) / part.weight, why }
  })
}

/** Equal fractions: one weighted fraction for all below their cap; the capped have no more. */
export function verifyFractions(parts: readonly Part[], claim: Claim): Judged {
  const judged = sumJudgement(parts, claim)
  const slope = (part: Part) => part.weight * part.cap
  const open = parts.filter((part) => part.cap > 0 && !isCapped(part))
  const blur = (part: Part) => roundingOf(part) / slope(part)
  // Read off the part that rounding hurts least.
  const [surest] = open.toSorted((a, b) => blur(a) - blur(b))
  if (surest === undefined) return judged
  const common = surest.above / slope(surest)
  if (claim.price !== null) {
    // Of a part within rounding of its cap it cannot be told whether it would rise further.
    const sure = open.reduce((sum, part) => sum + slope(part), 0)
    const least = common - blur(surest)
    const unsure = parts.filter((part) => isCapped(part) && least * part.weight <= 1 + tolerance)
    const most = unsure.reduce((sum, part) => sum + slope(part), sure)
    if (!(claim.price * most >= 1 - tolerance && claim.price * sure <= 1 + tolerance)) {
      judged.problems.push(`expected price to be ${1 / sure}, got ${claim.price}`)
    }
  }
  return judge(judged, parts, (part) => {
    const fraction = part.above / slope(part)
    const off = isCapped(part) ? fraction - common : Math.abs(fraction - common)
    const why = `its weighted fraction ${fraction} against ${common} of others`
    return common === 0 ? { off, why } : { off: (off - blur(part) - blur(surest)) / common, why }
  })
}

/** `above` is a difference of doubles as large as base and cap, so it is this much off. */
const isCapped = ({ base, cap, above }: Part): boolean => cap - above <= 2e-14 * (base + cap)

const roundingOf = ({ base, cap }: Part): number => 4 * Number.EPSILON * (base + cap)

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
    if (off > residual) residual = off
  }
  return { problems, residual }
}
