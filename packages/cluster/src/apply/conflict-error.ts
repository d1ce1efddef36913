import { goQuote } from 'setpoint/schema'
import { ApiError, type StatusCause } from '../status/index.ts'
import { pathsOf, type FieldSet } from './fields/field-set.ts'
import { managerKey } from './managed-fields.ts'
import { compareBytes, printPathElement, type PathElement } from './fields/path-element.ts'

interface OwnedPath {
  readonly id: string
  readonly path: readonly PathElement[]
}

/** The conflicts of an apply with other managers; `conflictError` makes the answer. */
export class FieldConflicts extends Error {
  readonly paths: readonly OwnedPath[]

  constructor(conflicts: readonly { readonly id: string; readonly fields: FieldSet }[]) {
    super('conflicts')
    this.name = 'FieldConflicts'
    // A server groups its message by sorted managers; its causes are in random order of managers.
    const sorted = [...conflicts].sort((a, b) => compareBytes(a.id, b.id))
    this.paths = sorted.flatMap(({ id, fields }) => pathsOf(fields).map((path) => ({ id, path })))
  }
}

function printPath(path: readonly PathElement[]): string {
  return path.map(printPathElement).join('')
}

function printManager(id: string): string {
  const { manager, subresource, operation, apiVersion } = managerKey(id)
  const name =
    goQuote(manager) + (subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`)
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}

/** The 409 that names every conflict. */
export function conflictError(paths: readonly OwnedPath[]): ApiError {
  const causes: StatusCause[] = paths.map(({ id, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${printManager(id)}`,
    field: printPath(path),
  }))
  return new ApiError({
    code: 409,
    reason: 'Conflict',
    message: conflictMessage(paths),
    details: { causes },
  })
}

function conflictMessage(paths: readonly OwnedPath[]): string {
  const [only] = paths
  if (only !== undefined && paths.length === 1) {
    const where = `${printManager(only.id)}: ${printPath(only.path)}`
    return `Apply failed with 1 conflict: conflict with ${where}`
  }
  const lines: string[] = []
  let group: string | undefined
  for (const { id, path } of paths) {
    if (id !== group) lines.push(`conflicts with ${printManager(id)}:`)
    group = id
    lines.push(`- ${printPath(path)}`)
  }
  return `Apply failed with ${paths.length} conflicts: ${lines.join('\n')}`
}
