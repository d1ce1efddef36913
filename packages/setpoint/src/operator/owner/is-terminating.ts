import type { ApiResource } from '../declare/operator-declaration.ts'

/** Whether an object is being deleted. */
export function isTerminating({ metadata }: Pick<ApiResource, 'metadata'>): boolean {
  return metadata.deletionTimestamp !== undefined
}
