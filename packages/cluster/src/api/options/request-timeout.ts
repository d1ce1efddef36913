import { goQuote } from 'setpoint/schema'
import { parseDuration } from '../../codec/index.ts'
import { badRequest } from '../../status/index.ts'
import type { RequestInfo } from '../http/request-info.ts'

const units = ['ns', 'us', '\u00b5s', '\u03bcs', 'ms', 's', 'm', 'h']

/** 400 when Go cannot parse `timeout`. It limits only the time in which a body arrives. */
export function checkTimeout({ query, verb }: RequestInfo): void {
  const text = query.get('timeout') ?? ''
  if (text === '' || verb === 'watch') return
  const problem = durationProblem(text)
  if (problem === undefined) return
  throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`)
}

function durationProblem(text: string): string | undefined {
  const invalid = `invalid duration ${goQuote(text)}`
  let rest = text.replace(/^[+-]/, '')
  if (rest === '0') return undefined
  if (rest === '') return invalid
  while (rest !== '') {
    const [number = ''] = /^(?:\d+\.?\d*|\.\d+)/.exec(rest) ?? []
    if (number === '') return invalid
    const [unit = ''] = /^[^\d.]*/.exec(rest.slice(number.length)) ?? []
    if (unit === '') return `missing unit in duration ${goQuote(text)}`
    if (!units.includes(unit)) return `unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`
    rest = rest.slice(number.length + unit.length)
  }
  return undefined
}

/** The `timeout` of a request in milliseconds; undefined when it has none. */
export function timeoutMsOf({ query }: RequestInfo): number | undefined {
  const text = query.get('timeout') ?? ''
  const nanos = text === '' ? undefined : parseDuration(text)
  return nanos === undefined || nanos <= 0n ? undefined : Number(nanos / 1_000_000n)
}
