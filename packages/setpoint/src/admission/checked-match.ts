import type { Kind } from '../kinds/kind.ts'
import type { AdmissionOperation, MatchOptions } from './admission-options.ts'

/** Throws an error that names the function or policy. */
export type Refuse = (problem: string, hint: string) => never

const operationsDefault: readonly AdmissionOperation[] = ['CREATE', 'UPDATE']
const allOperations: readonly AdmissionOperation[] = [...operationsDefault, 'DELETE', 'CONNECT']

/** Subresources that are not in the list of a kind, because they have no objects to read. */
const connectSubresources = ['exec', 'attach', 'portforward', 'proxy']

/** The names of conditions, as API servers require them. */
const qualifiedName = /^([a-z0-9.-]+\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/

/** Refuses options that match no requests, and returns them with their defaults. */
export function checkedMatch(
  kind: Kind,
  options: MatchOptions,
  refuse: Refuse,
): {
  readonly operations: readonly AdmissionOperation[]
  readonly subresource: string | undefined
} {
  const { operations = operationsDefault, subresource, matchConditions = {} } = options
  if (kind.group === 'admissionregistration.k8s.io') {
    refuse('is never called: API servers review no requests for this group', 'remove it')
  }
  const unknown = operations.find((one) => !allOperations.includes(one))
  if (operations.length === 0 || unknown !== undefined) {
    refuse(
      `has the operations [${operations.join(', ')}]`,
      `choose from ${allOperations.join(', ')}`,
    )
  }
  const known = [...kind.subresources, ...(kind.kind === 'Pod' ? connectSubresources : [])]
  if (subresource !== undefined && !known.includes(subresource)) {
    const hint = known.length === 0 ? `${kind.kind} has none` : `choose from ${known.join(', ')}`
    refuse(`has the subresource ${subresource}, which ${kind.kind} does not have`, hint)
  }
  const wrong = Object.keys(matchConditions).find((name) => !qualifiedName.test(name))
  if (wrong !== undefined) {
    refuse(
      `has a match condition with the name ${JSON.stringify(wrong)}`,
      'write a name of letters, digits and hyphens, such as not-the-scheduler',
    )
  }
  return { operations, subresource }
}
