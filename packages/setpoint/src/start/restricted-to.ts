import { SetpointError } from '../errors/index.ts'
import type { AnyOperator } from '../operator/index.ts'

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** The same operators, working in these namespaces only; as they are when none are given. */
export function restrictedTo(
  operators: readonly AnyOperator[],
  namespaces: readonly string[] | undefined,
): readonly AnyOperator[] {
  if (namespaces === undefined) return operators
  if (namespaces.length === 0) throw invalid('no namespaces are given, so nothing would be done')
  const wrong = namespaces.find((name) => !label.test(name))
  if (wrong !== undefined) throw invalid(`${JSON.stringify(wrong)} is no name of a namespace`)
  const names = [...new Set(namespaces)].sort()
  return operators.map(({ declaration }) => ({
    declaration: { ...declaration, options: { ...declaration.options, namespaces: names } },
  }))
}

function invalid(problem: string): SetpointError {
  return new SetpointError('PROCESS_INVALID', problem, {
    hint: 'give names of namespaces (WATCH_NAMESPACES=a,b), or leave them out for all of them',
  })
}
