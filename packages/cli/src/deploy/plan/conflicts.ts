import { isApiError } from 'setpoint/client'
import { CommandError } from '../../command/index.ts'
import type { ClusterObject } from '../../generate/index.ts'
import { objectTitle } from '../object-title.ts'

/** A field that another field manager owns with another value. */
export interface FieldConflict {
  readonly object: string
  readonly field: string
  readonly manager: string
}

/** The field conflicts of a refused apply; none when it was refused for another reason. */
export function conflictsOf({ kind, manifest }: ClusterObject, error: unknown): FieldConflict[] {
  if (!isApiError(error, 'API_CONFLICT')) return []
  const object = objectTitle(kind, manifest.metadata)
  return (error.status.details?.causes ?? [])
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({
      object,
      field: field.replace(/^\./, ''),
      manager: /"([^"]*)"/.exec(message)?.[1] ?? message,
    }))
}

/** An error that lists the fields and their managers. */
export function conflictError(conflicts: readonly FieldConflict[]): CommandError {
  const lines = conflicts.map(
    ({ object, field, manager }) => `\n  ${object}: ${field} is owned by ${manager}`,
  )
  return new CommandError(`conflicts with other field managers:${lines.join('')}`, {
    hint: 'nothing was written; remove the fields from the other managers, or use --force-conflicts',
  })
}
