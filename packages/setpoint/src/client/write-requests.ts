import type { ApiCall } from './transport/api-call.ts'
import {
  type DeleteOptions,
  type Patch,
  type Selection,
  selectorText,
  type WriteOptions,
} from './transport/call-options.ts'

/** The media types of patches. */
export const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

/** The content of a patch, and its type. */
export function patchContent(patch: Patch): { type: keyof typeof patchTypes; content: object } {
  if (patch.merge !== undefined) return { type: 'merge', content: patch.merge }
  if (patch.json !== undefined) return { type: 'json', content: patch.json }
  return { type: 'strategic', content: patch.strategic }
}

/** The query of a write. */
export function writeQuery(options: WriteOptions): ApiCall['query'] {
  const { fieldManager, dryRun, fieldValidation } = options
  return { fieldManager, fieldValidation, dryRun: dryRun === true ? 'All' : undefined }
}

/** The query that selects objects of a collection. */
export function selectionQuery({ labelSelector, fieldSelector }: Selection): ApiCall['query'] {
  return {
    labelSelector: selectorText(labelSelector),
    fieldSelector: selectorText(fieldSelector),
  }
}

/** The body of a deletion. */
export function deleteBody(options: Omit<DeleteOptions, 'signal' | 'timeout'>): object {
  const { propagation, preconditions, gracePeriodSeconds, dryRun } = options
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: propagation,
    preconditions,
    gracePeriodSeconds,
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  }
}
