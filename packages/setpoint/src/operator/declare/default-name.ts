import { kindName } from '../../kinds/kind-name.ts'
import type { Kind } from '../../kinds/kind.ts'

/** The default name of an operator. */
export function defaultName(kind: Kind): string {
  return kindName(kind)
}
