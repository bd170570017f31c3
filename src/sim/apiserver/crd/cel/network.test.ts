import assert from 'node:assert/strict'

import { each } from '../../../../../test/each.ts'
import { baseEnvironment } from './base.ts'
import { textOfFault } from './fault.ts'

function evaluate(rule: string): unknown {
  try {
    return baseEnvironment.clone({}).evaluate(rule)
  } catch (error) {
    return textOfFault(error)
  }
}

each(
  [
    { rule: "cidr('10.0.0.0/8').containsIP('10.1.1.1')", gives: true },
    { rule: "cidr('10.0.0.0/8').containsIP('11.1.1.1')", gives: false },
    { rule: "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", gives: true },
    { rule: "cidr('::/0').containsIP('::1.2.3.4')", gives: true },
    { rule: "ip('::1.2.3.4') == ip('::102:304')", gives: true },
    { rule: "isIP('::ffff:1.2.3.4')", gives: false },
    { rule: "isIP('fe80::1%eth0')", gives: false },
    { rule: "isCIDR('::ffff:1.2.3.4/120')", gives: false },
    { rule: "isCIDR('fe80::1%eth0/64')", gives: false },
    {
      rule: "cidr('10.0.0.0/8').containsIP('10.1.1.1-0')",
      gives:
        'IP Address "10.1.1.1-0" parse error during conversion from string: ParseAddr("10.1.1.1-0"): unable to parse IP',
    },
    {
      rule: "cidr('10.0.0.0/8').containsCIDR('x')",
      gives: `network address parse error during conversion from string: netip.ParsePrefix("x"): no '/'`,
    },
  ].map(({ rule, gives }) => ({ name: rule, gives })),
  ({ name, gives }) => assert.equal(evaluate(name), gives),
)
