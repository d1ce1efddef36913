import { hasFields } from '../../schema/json-value.ts'
import { contentHash } from '../manifest/content-hash.ts'
import { pointerFields } from './json-pointer.ts'
import type { ApiResource } from '../declare/operator-declaration.ts'
import type { PatchTowards } from './patch-towards.ts'

/**
 * An annotation that tells what a server keeps otherwise than it was asked to: a node port that is 0, a list that admission
 * adds to, an image that a webhook rewrites. To ask again at every look would change nothing.
 */
export const keptAnnotation = 'setpoint.dev/kept'

/** What an object lacks and what it has instead, as the annotation says it: a change by anybody else is another matter. */
export function keptText(live: ApiResource, { operations }: PatchTowards): string {
  const instead = operations.map(({ path }) => pointerFields(path).reduce(fieldOf, live))
  return contentHash({ operations, instead }).content
}

function fieldOf(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value[Number(field)]
  return hasFields(value) ? value[field] : undefined
}
