/**
 * Kinds of fields of our resources. Shape, defaults and choices are valibot's; what only Kubernetes
 * understands (CEL rules, list keys, formats, lengths) is carried as metadata, in its own words.
 */
import * as v from 'valibot'

type Keywords = Readonly<Record<string, unknown>>

/** A CEL rule, and what the user is told who breaks it. */
export type Rule = { readonly rule: string; readonly message: string }

export const rules = (...list: readonly Rule[]) => ({ 'x-kubernetes-validations': list })

export const text = (description: string, keywords: Keywords = {}) =>
  v.pipe(v.string(), v.description(description), v.metadata({ maxLength: 1024, ...keywords }))

export const time = (description: string) =>
  v.pipe(
    v.string(),
    v.title('time'),
    v.description(description),
    v.metadata({ format: 'date-time', maxLength: 64 }),
  )

export const wholeNumber = (description: string, format: 'int32' | 'int64') =>
  v.pipe(
    v.number(),
    v.integer(),
    v.title('whole number'),
    v.description(description),
    v.metadata({ format, minimum: 0 }),
  )

export const price = (description: string) =>
  v.pipe(v.number(), v.description(description), v.metadata({ minimum: 0 }))

/** As people write it: `250m`, `"1.5"` or `2`. */
export const cpu = (description: string) =>
  v.pipe(
    v.union([v.string(), v.pipe(v.number(), v.integer())]),
    v.title('quantity'),
    v.description(description),
    v.metadata({ maxLength: 32 }),
  )

/** The same, above 0. */
export const someCpu = (description: string) =>
  v.pipe(
    cpu(description),
    v.metadata(
      rules({
        rule: "type(self) == int ? self > 0 : quantity(self).isGreaterThan(quantity('0'))",
        message: 'must be an amount of CPU above 0, such as 250m, "1.5" or 2',
      }),
    ),
  )

/** In CEL: the quantity in a field that may be a whole number. */
const quantityOf = (field: string) =>
  `(type(self.${field}) == int ? quantity('0').add(self.${field}) : quantity(self.${field}))`

export const atMost = (less: string, more: string, message: string): Rule => ({
  rule: `!has(self.${less}) || !has(self.${more}) || ${quantityOf(less)}.compareTo(${quantityOf(more)}) <= 0`,
  message,
})

/** May be given later, but then neither changes nor goes. */
export const setOnce = (field: string, message: string): Rule => ({
  rule: `!has(oldSelf.${field}) || (has(self.${field}) && self.${field} == oldSelf.${field})`,
  message,
})

/** A list in which the keys name the item, and only one item has them. */
export const listBy = (keys: string | readonly string[], maxItems: number) => ({
  maxItems,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': [keys].flat(),
})

const conditionType =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$'

/** As `metav1.Condition`, to the letter. */
const condition = v.pipe(
  v.object({
    type: text('What it is about, in CamelCase', { maxLength: 316, pattern: conditionType }),
    status: v.pipe(v.picklist(['True', 'False', 'Unknown']), v.description('Whether it holds')),
    reason: text('Why, in one word in CamelCase', {
      minLength: 1,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: text('Why, for people', { maxLength: 32768 }),
    lastTransitionTime: time('When the status last changed'),
    observedGeneration: v.optional(
      wholeNumber('The generation of the spec that it was written for', 'int64'),
    ),
  }),
  v.description('One condition'),
)

export const conditions = v.pipe(
  v.array(condition),
  v.description('The same in the form that tools read'),
  v.metadata(listBy('type', 16)),
)
