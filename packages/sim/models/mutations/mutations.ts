import { checkMutations } from './check-mutations.ts'
import { memoryMutations } from './memory-mutations.ts'
import type { Mutation } from './mutation.ts'
import { omissionMutations } from './omission-mutations.ts'
import { orderMutations } from './order-mutations.ts'

/** Twenty twins with a mistake, to find out which mistakes the simulator finds. */
export const mutations: readonly Mutation[] = [
  ...orderMutations,
  ...memoryMutations,
  ...checkMutations,
  ...omissionMutations,
]
