import { testWorld, type TestWorld } from '@setpoint/cluster'
import type { Intercept } from '../../host/index.ts'
import type { AnyOperator } from '../../operator/index.ts'
import type { StartOptions } from '../index.ts'

/** A cluster in virtual time with running operators. */
export type World = TestWorld

/** Starts operators on an API server that has their definitions. */
export async function createWorld(...operators: AnyOperator[]): Promise<World> {
  return createWorldWith({}, ...operators)
}

/** Starts operators on an API server that has their definitions, with options for the process. */
export async function createWorldWith(
  { intercept, ...options }: StartOptions & { readonly intercept?: Intercept },
  ...operators: AnyOperator[]
): Promise<World> {
  return testWorld({
    operators,
    workloads: 'off',
    start: options,
    ...(intercept === undefined ? {} : { intercept }),
  })
}
