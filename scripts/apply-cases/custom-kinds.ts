import type { Sequence, Step } from './sequence.ts'

/** The group of the custom resources. */
export const group = 'applycases.setpoint.dev'
/** Options of a step that uses the other version. */
export const v2 = { apiVersion: `${group}/v2` }
/** Options of a step that writes the status. */
export const status = { subresource: 'status' }

/** Writes to the resource that has every type. */
export const gadget = (name: string, ...steps: Step[]): Sequence => ({
  name,
  resource: 'gadgets',
  kind: 'Gadget',
  apiVersion: `${group}/v1`,
  steps,
})

/** Writes to the resource without a schema. */
export const blob = (name: string, ...steps: Step[]): Sequence => ({
  name,
  resource: 'blobs',
  kind: 'Blob',
  apiVersion: `${group}/v1`,
  steps,
})

/** Writes to the resource whose versions differ. */
export const evolving = (name: string, ...steps: Step[]): Sequence => ({
  name,
  resource: 'evolvings',
  kind: 'Evolving',
  apiVersion: `${group}/v1`,
  steps,
})
