import type { JsonObject } from 'setpoint/schema'
import { toStoredForm } from '../../codec/index.ts'
import { labelledLikeTemplate } from './job-strategy.ts'
import { allocatableByDefault } from './small-kind-strategies.ts'
import { pendingByDefault } from './persistent-volume-claim-strategy.ts'

const completions: Readonly<Record<string, (stored: JsonObject) => JsonObject | undefined>> = {
  'batch/v1 Job': labelledLikeTemplate,
  'v1 Node': allocatableByDefault,
  'v1 PersistentVolumeClaim': pendingByDefault,
  'v1 ReplicationController': labelledLikeTemplate,
}

/**
 * A stored object with the defaults that its strategy undid or made necessary: a real server
 * applies defaults again when it reads. Undefined if it misses none.
 */
export function completedByRead(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  stored: JsonObject,
): JsonObject | undefined {
  const completed = completions[`${apiVersion} ${kind}`]?.(stored)
  return completed === undefined ? undefined : toStoredForm(apiVersion, kind, completed)
}
