import type { Kind } from '../../kinds/kind.ts'

/** The name of an operator without the option `name`. */
export function defaultName({ group, plural }: Kind): string {
  return group === '' ? plural : `${plural}.${group}`
}
