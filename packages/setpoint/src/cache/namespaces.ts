import type { Selection } from '../client/index.ts'
import type { LiveNamespaces } from './live-namespaces.ts'

/** Where objects are looked for: in these namespaces, or in those with these labels, or in whatever the set holds. */
export type Namespaces =
  | readonly string[]
  | { readonly labelSelector: NonNullable<Selection['labelSelector']> }
  | LiveNamespaces
