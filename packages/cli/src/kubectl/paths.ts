import type { ApiResource } from './api-resources.ts'
import type { KubectlLine } from './kubectl-flags.ts'

/** The path of all objects of a kind, in a namespace or in all namespaces. */
export function collectionPath(
  { group, version, plural }: ApiResource,
  namespace: string | undefined,
): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`
}

/** The path of one object. */
export function objectPath(
  resource: ApiResource,
  { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
): string {
  return `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`
}

/** The label and field selectors of a command line. */
export function selectionOf(line: KubectlLine): {
  readonly labelSelector: string | undefined
  readonly fieldSelector: string | undefined
} {
  return { labelSelector: line.text('selector'), fieldSelector: line.text('field-selector') }
}
