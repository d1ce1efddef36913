import { SetpointError } from '../errors/index.ts'
import { isNamespaceName } from '../kinds/is-namespace-name.ts'
import type { AnyOperator } from '../operator/index.ts'

/** The same operators, restricted to these namespaces; unchanged when none are given. */
export function restrictedTo(
  operators: readonly AnyOperator[],
  namespaces: readonly string[] | undefined,
): readonly AnyOperator[] {
  if (namespaces === undefined) return operators
  if (namespaces.length === 0) throw invalid('the list of namespaces is empty')
  const wrong = namespaces.find((name) => !isNamespaceName(name))
  if (wrong !== undefined) throw invalid(`${JSON.stringify(wrong)} is not a namespace name`)
  const names = [...new Set(namespaces)].sort()
  return operators.map(({ declaration }) => ({
    declaration: { ...declaration, options: { ...declaration.options, namespaces: names } },
  }))
}

function invalid(problem: string): SetpointError {
  return new SetpointError('PROCESS_INVALID', problem, {
    hint: 'give names of namespaces (WATCH_NAMESPACES=a,b), or omit them for all namespaces',
  })
}
