import type { Selection } from '../client/index.ts'
import type { LiveNamespaces } from './live-namespaces.ts'

/** The namespaces of a scope: these names, those with these labels, or a set that changes. */
export type Namespaces =
  | readonly string[]
  | { readonly labelSelector: NonNullable<Selection['labelSelector']> }
  | LiveNamespaces
