import { badRequest } from '../../status/index.ts'
import { isTruthy } from '../http/request-info.ts'

/** A whole number in the query, with Go's complaint when it is none; `undefined` when it is absent. */
export function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^[+-]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  }
  const value = Number(text)
  if (Math.abs(value) >= 2 ** 63) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`)
  }
  return value
}

/** A switch in the query; `undefined` when it is absent. */
export function switchOf(query: URLSearchParams, name: string): boolean | undefined {
  return query.has(name) ? isTruthy(query, name) : undefined
}
