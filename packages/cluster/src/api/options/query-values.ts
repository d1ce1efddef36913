import { badRequest } from '../../status/index.ts'
import { isTruthy } from '../http/request-info.ts'

/** An integer of the query, `undefined` when absent; 400 with Go's message when it is invalid. */
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

/** A boolean of the query; `undefined` when it is absent. */
export function switchOf(query: URLSearchParams, name: string): boolean | undefined {
  return query.has(name) ? isTruthy(query, name) : undefined
}
