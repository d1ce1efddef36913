import type { Store } from '../../../store/index.ts'
import type { Registry } from '../registry.ts'

/** What the reaction to definitions needs. */
export interface DefinitionsContext {
  readonly store: Store
  readonly registry: Registry
  readonly now: () => number
  /** What is served may have changed. */
  readonly offered: () => void
}
