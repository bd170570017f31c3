/** What names may look like, with the real server's words for those that do not. */
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const rfc1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const labelValue = `(${qualified})?`
const configKey = '[-._a-zA-Z0-9]+'

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)
const isLabel = whole(label)
const isRfc1035Label = whole(rfc1035Label)
const isSubdomain = whole(subdomain)
const isQualified = whole(qualified)
const isValue = whole(labelValue)
const isConfigKey = whole(configKey)

const letters = 'must consist of lower case alphanumeric characters'
const ends = 'and must start and end with an alphanumeric character'
const qualifiedRule = `must consist of alphanumeric characters, '-', '_' or '.', ${ends}`

/** The rule, examples, and the pattern. */
export function ruleText(
  rule: string,
  { examples, pattern }: { readonly examples: readonly string[]; readonly pattern: string },
): string {
  const such = examples.map((one) => `'${one}', `).join(' or ')
  return `${rule} (e.g. ${such}regex used for validation is '${pattern}')`
}

/** The real server counts names in characters and labels in bytes, in words only. */
const overlong = (text: string, most: number, unit = 'bytes'): string[] =>
  Buffer.byteLength(text) > most ? [`must be no more than ${most} ${unit}`] : []

const subdomainText = ruleText(`a lowercase RFC 1123 subdomain ${letters}, '-' or '.', ${ends}`, {
  examples: ['example.com'],
  pattern: subdomain,
})
const labelText = ruleText(`a lowercase RFC 1123 label ${letters} or '-', ${ends}`, {
  examples: ['my-name', '123-abc'],
  pattern: label,
})
const rfc1035LabelText = ruleText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  { examples: ['my-name', 'abc-123'], pattern: rfc1035Label },
)
const qualifiedText = ruleText(qualifiedRule, {
  examples: ['MyName', 'my.name', '123-abc'],
  pattern: qualified,
})
const valueText = ruleText(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ends}`,
  { examples: ['MyValue', 'my_value', '12345'], pattern: labelValue },
)
const configKeyText = ruleText(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  { examples: ['key.name', 'KEY_NAME', 'key-name'], pattern: configKey },
)

export const checkSubdomain = (name: string): string[] => [
  ...overlong(name, 253, 'characters'),
  ...(isSubdomain.test(name) ? [] : [subdomainText]),
]

export function checkDnsLabel(name: string): string[] {
  const said = isSubdomain.test(name) ? 'must not contain dots' : labelText
  return [...overlong(name, 63, 'characters'), ...(isLabel.test(name) ? [] : [said])]
}

/** It begins with a letter. */
export const checkRfc1035Label = (name: string): string[] => [
  ...overlong(name, 63, 'characters'),
  ...(isRfc1035Label.test(name) ? [] : [rfc1035LabelText]),
]

/** Any name that is one step of a path: of RBAC kinds. */
export function checkPathSegment(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`)
}

/** Of labels, annotations, resources: `example.com/name`, or `name`. */
export function checkQualifiedName(text: string): string[] {
  const parts = text.split('/')
  if (parts.length > 2)
    return [
      `a valid label key ${qualifiedText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  const [name = '', prefix] = parts.toReversed()
  const said = prefix === '' ? ['must be non-empty'] : checkSubdomain(prefix ?? 'none')
  const length = name === '' ? ['must be non-empty'] : overlong(name, 63)
  return [
    ...said.map((one) => `prefix part ${one}`),
    ...length.map((one) => `name part ${one}`),
    ...(isQualified.test(name) ? [] : [`name part ${qualifiedText}`]),
  ]
}

export const checkLabelValue = (text: string): string[] => [
  ...overlong(text, 63),
  ...(isValue.test(text) ? [] : [valueText]),
]

export function checkConfigKey(key: string): string[] {
  const errors = Buffer.byteLength(key) > 253 ? ['must be no more than 253 characters'] : []
  if (!isConfigKey.test(key)) errors.push(configKeyText)
  if (key === '.' || key === '..') errors.push(`must not be '${key}'`)
  else if (key.startsWith('..')) errors.push("must not start with '..'")
  return errors
}
