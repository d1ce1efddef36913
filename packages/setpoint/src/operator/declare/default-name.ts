import type { Kind } from '../../kinds/kind.ts'

/** What an operator is called that was not given a name. */
export function defaultName({ group, plural }: Kind): string {
  return group === '' ? plural : `${plural}.${group}`
}
