/** Calls that are more than functions: they bind a variable. */
import { Optional, type ASTNode, type Environment } from '@marcbachmann/cel-js'

import { CelFault } from './fault.ts'

/** The part of the library's checker, evaluator and contexts that its own macros use. */
type Type = { readonly kind: string; readonly name: string; readonly valueType?: Type }
type Scope = {
  readonly forkWithVariable: (name: string, type: Type) => Scope
  readonly reuse: (scope: Scope) => Scope
  readonly setIterValue: (value: unknown, evaluator: Evaluator) => Scope
}
type Checker = {
  readonly check: (node: ASTNode, scope: Scope) => Type
  readonly getType: (name: string) => Type
}
type Evaluator = { readonly run: (node: ASTNode, scope: Scope) => unknown }
type Call = { readonly args: readonly ASTNode[]; readonly receiver: ASTNode; readonly ast: ASTNode }

export function registerMacros(env: Environment): void {
  env.registerFunction(
    'optional.optMap(ast, ast): optional<dyn>',
    optional((value) => Optional.of(value)),
  )
  env.registerFunction(
    'optional.optFlatMap(ast, ast): optional<dyn>',
    optional((value) => value),
  )
}

/** `self.?a.optMap(x, x + 1)`: the expression runs only where there is a value. */
const optional =
  (wrap: (value: unknown) => unknown) =>
  ({ args: [variable, expression], receiver }: Call) => {
    if (variable?.op !== 'id' || !expression) throw new Error('argument must be a simple name')
    let inner: Scope | undefined
    return {
      async: false,
      typeCheck: (checker: Checker, _: unknown, scope: Scope): Type => {
        const held = checker.check(receiver, scope).valueType ?? checker.getType('dyn')
        inner = scope.forkWithVariable(variable.args, held)
        const result = checker.check(expression, inner)
        return result.kind === 'optional' ? result : checker.getType(`optional<${result.name}>`)
      },
      evaluate: (evaluator: Evaluator, _: unknown, scope: Scope): unknown => {
        const value = evaluator.run(receiver, scope)
        if (!(value instanceof Optional)) throw new CelFault('no such overload')
        if (!value.hasValue() || !inner) return value
        return wrap(
          evaluator.run(expression, inner.reuse(scope).setIterValue(value.value(), evaluator)),
        )
      },
    }
  }
