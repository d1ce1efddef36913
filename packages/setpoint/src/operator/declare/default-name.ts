import { kindName } from '../../kinds/kind-name.ts'
import type { Kind } from '../../kinds/kind.ts'

/** The name of an operator whose author gave it none. */
export function defaultName(kind: Kind): string {
  return kindName(kind)
}
