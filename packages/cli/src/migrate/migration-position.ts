import type { Client } from 'setpoint/client'
import { CustomResourceDefinition } from 'setpoint/kinds'

/** The annotation of a CRD with the position of a migration. */
export const positionAnnotation = 'setpoint.dev/migration'

/** Where a migration stopped: all objects before it are rewritten. */
export interface MigrationPosition {
  /** The generation of the CRD to which the migration belongs. */
  readonly generation: number
  /** The token of the next page. */
  readonly continue: string
  /** How many objects are rewritten. */
  readonly done: number
}

/**
 * The position in the annotations of a CRD. A position of another generation does not count: the
 * storage version may have changed in between.
 */
export function positionIn(
  annotations: Readonly<Record<string, string>> | undefined,
  generation: number,
): MigrationPosition | undefined {
  const text = annotations?.[positionAnnotation]
  if (text === undefined) return undefined
  const position = parsedPosition(text)
  return position?.generation === generation ? position : undefined
}

/** An annotation that is not a position, for example because a user changed it, does not count. */
function parsedPosition(text: string): MigrationPosition | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { generation, continue: token, done } = Object(value) as Partial<MigrationPosition>
  const isPosition =
    typeof generation === 'number' && typeof token === 'string' && typeof done === 'number'
  return isPosition && token !== '' ? { generation, continue: token, done } : undefined
}

/** Writes the position to the CRD, or removes it. */
export async function savePosition(
  client: Client,
  name: string,
  position: MigrationPosition | undefined,
): Promise<void> {
  const value = position === undefined ? null : JSON.stringify(position)
  const merge = { metadata: { annotations: { [positionAnnotation]: value } } }
  await client.patch(CustomResourceDefinition, name, { merge })
}
