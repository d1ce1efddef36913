import { builtinSequences } from './builtin-sequences.ts'
import { deploymentSequences } from './deployment-sequences.ts'
import { endpointSequences } from './endpoint-sequences.ts'
import { fieldSequences } from './field-sequences.ts'
import { listSequences } from './list-sequences.ts'
import type { Sequence } from './sequence.ts'

/** All sequences that the tests replay. */
export const sequences: readonly Sequence[] = [
  ...builtinSequences,
  ...deploymentSequences,
  ...fieldSequences,
  ...listSequences,
  ...endpointSequences,
]
