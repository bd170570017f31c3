/** Kubernetes quantities in CEL. */
import type { Environment } from '@marcbachmann/cel-js'

import { parseQuantity, QuantityError } from '../../../../core/quantity.ts'
import { CelFault } from './fault.ts'

/** A class, since the library knows types of its own by their constructor. */
class Amount {
  readonly nanos: bigint
  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

const ONE = 1_000_000_000n
const TYPE = 'kubernetes.Quantity'
const INT64 = 2n ** 63n

function amountOf(text: string): Amount | undefined {
  try {
    return new Amount(parseQuantity(text).nanos)
  } catch (error) {
    if (error instanceof QuantityError) return undefined
    throw error
  }
}

function readAmount(text: string): Amount {
  const amount = amountOf(text)
  if (amount) return amount
  throw new CelFault(
    text === ''
      ? 'quantities must match the regular expression'
      : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  )
}

const isInteger = ({ nanos }: Amount): boolean =>
  nanos % ONE === 0n && nanos / ONE < INT64 && nanos / ONE >= -INT64

function compare(a: Amount, b: Amount): bigint {
  if (a.nanos === b.nanos) return 0n
  return a.nanos < b.nanos ? -1n : 1n
}

export function registerQuantity(env: Environment): void {
  const method = (signature: string, handler: (self: Amount, other: Amount) => unknown): void => {
    env.registerFunction(`${TYPE}.${signature}`, handler)
  }
  env.registerType(TYPE, Amount)
  env.registerOperator(`${TYPE} == ${TYPE}`, (a: Amount, b: Amount) => a.nanos === b.nanos)
  env.registerFunction(`quantity(string): ${TYPE}`, readAmount)
  env.registerFunction('isQuantity(string): bool', (text: string) => amountOf(text) !== undefined)
  env.registerFunction(`sign(${TYPE}): int`, (amount: Amount) => compare(amount, new Amount(0n)))
  method('isInteger(): bool', isInteger)
  method('asInteger(): int', (self) => {
    if (!isInteger(self)) throw new CelFault('cannot convert value to integer')
    return self.nanos / ONE
  })
  method('asApproximateFloat(): double', ({ nanos }) => Number(nanos) / 1e9)
  method(`isGreaterThan(${TYPE}): bool`, (a, b) => a.nanos > b.nanos)
  method(`isLessThan(${TYPE}): bool`, (a, b) => a.nanos < b.nanos)
  method(`compareTo(${TYPE}): int`, compare)
  method(`add(${TYPE}): ${TYPE}`, (a, b) => new Amount(a.nanos + b.nanos))
  method(`sub(${TYPE}): ${TYPE}`, (a, b) => new Amount(a.nanos - b.nanos))
  env.registerFunction(
    `${TYPE}.add(int): ${TYPE}`,
    (a: Amount, by: bigint) => new Amount(a.nanos + by * ONE),
  )
  env.registerFunction(
    `${TYPE}.sub(int): ${TYPE}`,
    (a: Amount, by: bigint) => new Amount(a.nanos - by * ONE),
  )
}
