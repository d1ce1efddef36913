import type { ConversionCalls } from '../../conversion/conversion-webhook.ts'
import type { Store } from '../../../store/index.ts'
import type { Registry } from '../registry.ts'

/** The dependencies of `Definitions`. */
export interface DefinitionsContext {
  readonly store: Store
  readonly registry: Registry
  readonly now: () => number
  readonly conversionCalls: ConversionCalls
  /** Called when the served resources may have changed. */
  readonly offered: () => void
}
