import type { JsonValue } from 'setpoint/schema'
import { badRequest } from '../status/index.ts'

/**
 * The levels of nesting that every function of this server handles without running out of stack. A
 * real server accepts 10,000.
 */
export const depthMax = 500

/** Refuses a value that nests too deeply, before any function recurses into it. */
export function checkDepth(value: JsonValue): void {
  let depth = 0
  for (let level: JsonValue[] = [value]; level.length > 0; level = childrenOf(level)) {
    if (++depth > depthMax) throw tooDeep()
  }
}

/** 400 for a value that nests too deeply. */
export function tooDeep(): Error {
  return badRequest(
    `the body of the request nests more than ${depthMax} levels deep, which is the limit of the embedded server`,
  )
}

function childrenOf(level: readonly JsonValue[]): JsonValue[] {
  const children: JsonValue[] = []
  for (const value of level) {
    if (typeof value !== 'object' || value === null) continue
    for (const item of Array.isArray(value) ? value : Object.values(value)) {
      if (typeof item === 'object' && item !== null) children.push(item)
    }
  }
  return children
}
