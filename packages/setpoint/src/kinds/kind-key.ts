import type { Kind } from './kind.ts'

/** The identity of a kind as a key of maps: `apps/v1 deployments`, `v1 secrets metadata`. */
export function kindKey({ apiVersion, plural, part }: Kind): string {
  return part === undefined ? `${apiVersion} ${plural}` : `${apiVersion} ${plural} ${part}`
}
